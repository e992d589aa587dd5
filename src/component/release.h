/* SPDX-License-Identifier: BSD-3-Clause */
/* Releases of Open MPI: the versions of component interfaces, and of what ranks tell each other by PMIx. */
#pragma once

#include "ompi/communicator/communicator.h"
#include "ompi/mca/coll/base/base.h"
#include "ompi/mca/coll/coll.h"
#include "ompi/mca/hook/base/base.h"
#include "opal/util/info.h"

/* ompi/op/op.h is installed, but not all that it includes. */
#ifndef OMPI_OP_H
#define OMPI_OP_H
typedef struct ompi_op_t ompi_op_t;
#endif
#include "ompi/mca/coll/base/coll_base_util.h"

#define ALLTOLD_TEXT(number) #number
#define ALLTOLD_SERIES(major, minor) "Open MPI v" ALLTOLD_TEXT(major) "." ALLTOLD_TEXT(minor) "."
/* The start of MPI_Get_library_version. */
#define ALLTOLD_BUILT_FOR ALLTOLD_SERIES(OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION)

#if OMPI_MAJOR_VERSION >= 5
#include "opal/mca/pmix/pmix-internal.h"
#define ALLTOLD_COLL_VERSION MCA_COLL_BASE_VERSION_2_4_0
#define ALLTOLD_TO_ALL PMIX_GLOBAL
#define ALLTOLD_STRING PMIX_STRING
#define ALLTOLD_CAN_TELL true
#else
#include "opal/mca/pmix/pmix.h"
#define ALLTOLD_COLL_VERSION MCA_COLL_BASE_VERSION_2_0_0
#define ALLTOLD_TO_ALL OPAL_PMIX_GLOBAL
#define ALLTOLD_STRING OPAL_STRING
#define ALLTOLD_CAN_TELL (opal_pmix.put != NULL)
#endif
