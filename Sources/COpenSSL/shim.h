#ifndef PUSHBRIDGE_COPENSSL_SHIM_H
#define PUSHBRIDGE_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Swift imports no macros.

static inline EVP_PKEY *pb_new_p256_key(void) {
    return EVP_EC_gen("P-256");
}

static inline long pb_memory_of(BIO *bio, char **data) {
    return BIO_get_mem_data(bio, data);
}

#endif
