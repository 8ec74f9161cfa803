#ifndef PUSHBRIDGE_COPENSSL_SHIM_H
#define PUSHBRIDGE_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

// Swift imports no macros.

static inline EVP_PKEY *pb_new_p256_key(void) {
    return EVP_EC_gen("P-256");
}

// The key on P-256 with this private number, 32 bytes with the high byte first. NULL unless the number is at least 1 and
// below the order of the curve. Zero gives the point at infinity, which has another length.
static inline EVP_PKEY *pb_p256_private_key(const unsigned char *bytes) {
    unsigned char native[32], encoded[65];
    EVP_PKEY *key = NULL;
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *point = group == NULL ? NULL : EC_POINT_new(group);
    BIGNUM *number = BN_bin2bn(bytes, sizeof native, NULL);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (point != NULL && number != NULL && context != NULL
        && BN_cmp(number, EC_GROUP_get0_order(group)) < 0
        && EC_POINT_mul(group, point, number, NULL, NULL, NULL) == 1
        && EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, encoded, sizeof encoded, NULL)
            == sizeof encoded
        && BN_bn2nativepad(number, native, sizeof native) == sizeof native) {
        OSSL_PARAM parameters[] = {
            OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"P-256", 0),
            OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, encoded, sizeof encoded),
            OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, native, sizeof native),
            OSSL_PARAM_construct_end(),
        };
        if (EVP_PKEY_fromdata_init(context) == 1) EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, parameters);
    }
    OPENSSL_cleanse(native, sizeof native);
    EVP_PKEY_CTX_free(context);
    BN_clear_free(number);
    EC_POINT_free(point);
    EC_GROUP_free(group);
    return key;
}

// A context for HMAC with SHA-256, still without a key. In C, because parameters keep pointers to their names.
static inline EVP_MAC_CTX *pb_new_hmac_sha256(EVP_MAC *hmac) {
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0), OSSL_PARAM_construct_end()};
    EVP_MAC_CTX *context = hmac == NULL ? NULL : EVP_MAC_CTX_new(hmac);
    if (context == NULL || EVP_MAC_CTX_set_params(context, parameters) == 1) return context;
    EVP_MAC_CTX_free(context);
    return NULL;
}

static inline EVP_PKEY *pb_new_rsa_key(void) {
    return EVP_RSA_gen(2048);
}

static inline int pb_is_p256(EVP_PKEY *key) {
    char name[32];
    return EVP_PKEY_get_group_name(key, name, sizeof name, NULL) == 1 && strcmp(name, "prime256v1") == 0;
}

// Whether a certificate names at least one host or address. Its common name does not count (RFC 9110, 4.3.4).
static inline int pb_names_host(const X509 *certificate) {
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    int found = 0;
    for (int index = 0; index < sk_GENERAL_NAME_num(names); index++) {
        int type = sk_GENERAL_NAME_value(names, index)->type;
        found |= type == GEN_DNS || type == GEN_IPADD;
    }
    GENERAL_NAMES_free(names);
    return found;
}

static inline void pb_free(void *memory) {
    OPENSSL_free(memory);
}

// 1 when the key belongs to the first certificate; the others lead to its authority. Both in PEM form. An encrypted key
// fails: without the empty password, OpenSSL would ask for one at the terminal.
static inline int pb_use_pem(SSL_CTX *context, const char *certificates, const void *key, int key_length) {
    BIO *bio = BIO_new_mem_buf(certificates, -1);
    X509 *x509 = PEM_read_bio_X509(bio, NULL, NULL, NULL);
    int result = x509 != NULL && SSL_CTX_use_certificate(context, x509) == 1;
    X509_free(x509);
    while (result && (x509 = PEM_read_bio_X509(bio, NULL, NULL, NULL)) != NULL) {
        result = SSL_CTX_add1_chain_cert(context, x509) == 1;
        X509_free(x509);
    }
    BIO_free(bio);
    // The end of the text is an error in the thread's list.
    ERR_clear_error();
    bio = BIO_new_mem_buf(key, key_length);
    EVP_PKEY *pkey = PEM_read_bio_PrivateKey(bio, NULL, NULL, (void *)"");
    BIO_free(bio);
    result = result && pkey != NULL && SSL_CTX_use_PrivateKey(context, pkey) == 1;
    EVP_PKEY_free(pkey);
    return result;
}

// Binary forms of what should be PEM.
enum pb_der { pb_der_none, pb_der_key, pb_der_encrypted_key, pb_der_certificate, pb_der_pkcs12 };

static inline enum pb_der pb_der_content(const unsigned char *bytes, long count) {
    enum pb_der found = pb_der_none;
    const unsigned char *start = bytes;
    EVP_PKEY *key = d2i_AutoPrivateKey(NULL, &start, count);
    if (key != NULL) found = pb_der_key;
    EVP_PKEY_free(key);
    start = bytes;
    X509_SIG *encrypted = found == pb_der_none ? d2i_X509_SIG(NULL, &start, count) : NULL;
    if (encrypted != NULL) found = pb_der_encrypted_key;
    X509_SIG_free(encrypted);
    start = bytes;
    X509 *certificate = found == pb_der_none ? d2i_X509(NULL, &start, count) : NULL;
    if (certificate != NULL) found = pb_der_certificate;
    X509_free(certificate);
    start = bytes;
    PKCS12 *box = found == pb_der_none ? d2i_PKCS12(NULL, &start, count) : NULL;
    if (box != NULL) found = pb_der_pkcs12;
    PKCS12_free(box);
    ERR_clear_error();
    return found;
}

// Adds the certificates of a PEM text, and their revocation lists, to those that are trusted. 1 if it holds any.
static inline int pb_trust_pem(SSL_CTX *context, const void *text, int length) {
    int count = 0;
    BIO *bio = BIO_new_mem_buf(text, length);
    STACK_OF(X509_INFO) *list = PEM_X509_INFO_read_bio(bio, NULL, NULL, (void *)"");
    BIO_free(bio);
    X509_STORE *store = SSL_CTX_get_cert_store(context);
    for (int index = 0; index < sk_X509_INFO_num(list); index++) {
        X509_INFO *entry = sk_X509_INFO_value(list, index);
        if (entry->x509 != NULL) count += X509_STORE_add_cert(store, entry->x509);
        if (entry->crl != NULL) count += X509_STORE_add_crl(store, entry->crl);
    }
    sk_X509_INFO_pop_free(list, X509_INFO_free);
    ERR_clear_error();
    return count > 0;
}

// TLS 1.2 or later, and what HTTP/2 forbids (RFC 9113, 9.2.1).
static inline void pb_set_limits(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    // Without this, a flood of the protocol's own messages would keep a single read.
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
}

static inline long pb_set_server_name(SSL *ssl, const char *name) {
    return SSL_set_tlsext_host_name(ssl, name);
}

static inline void pb_clear(BIO *bio) {
    (void)BIO_reset(bio);
}

static inline long pb_memory_of(BIO *bio, char **data) {
    return BIO_get_mem_data(bio, data);
}

#endif
