#ifndef PUSHBRIDGE_CPQ_SHIM_H
#define PUSHBRIDGE_CPQ_SHIM_H

// Without the package trait PostgreSQL nothing imports this module, so libpq may be missing.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#elif __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#endif

#endif
