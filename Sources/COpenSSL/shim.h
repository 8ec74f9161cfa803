#ifndef PUSHBRIDGE_COPENSSL_SHIM_H
#define PUSHBRIDGE_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

// Swift imports no macros.

static inline EVP_PKEY *pb_new_p256_key(void) {
    return EVP_EC_gen("P-256");
}

static inline EVP_PKEY *pb_new_rsa_key(void) {
    return EVP_RSA_gen(2048);
}

static inline int pb_is_p256(EVP_PKEY *key) {
    char name[32];
    return EVP_PKEY_get_group_name(key, name, sizeof name, NULL) == 1 && strcmp(name, "prime256v1") == 0;
}

static inline void pb_free(void *memory) {
    OPENSSL_free(memory);
}

// For the servers of tests: 1 when certificate and key, in PEM form, are usable and belong together.
static inline int pb_use_pem(SSL_CTX *context, const char *certificate, const char *key) {
    BIO *bio = BIO_new_mem_buf(certificate, -1);
    X509 *x509 = PEM_read_bio_X509(bio, NULL, NULL, NULL);
    BIO_free(bio);
    bio = BIO_new_mem_buf(key, -1);
    EVP_PKEY *pkey = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
    BIO_free(bio);
    int result = x509 != NULL && pkey != NULL && SSL_CTX_use_certificate(context, x509) == 1
        && SSL_CTX_use_PrivateKey(context, pkey) == 1;
    X509_free(x509);
    EVP_PKEY_free(pkey);
    return result;
}

static inline long pb_memory_of(BIO *bio, char **data) {
    return BIO_get_mem_data(bio, data);
}

#endif
