// All address walks of the instructions.
#pragma once

#include "hw/isa/burst_splitter.h"
#include "hw/isa/fixpipe_walk.h"
#include "hw/isa/fractal_order.h"
#include "hw/isa/load2d_walk.h"
#include "hw/isa/load_walk.h"
#include "hw/isa/mmad_walk.h"
#include "hw/isa/nd2nz_walk.h"
