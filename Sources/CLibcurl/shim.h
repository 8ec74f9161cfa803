#ifndef PUSHBRIDGE_CLIBCURL_SHIM_H
#define PUSHBRIDGE_CLIBCURL_SHIM_H

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

// Swift imports neither variadic functions nor macros: one wrapper for each type of argument.

typedef size_t (*pb_data_callback)(char *data, size_t size, size_t count, void *context);

static inline CURLcode pb_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode pb_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode pb_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode pb_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode pb_set_bytes(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode pb_set_blob(CURL *easy, CURLoption option, const void *data, size_t count) {
    struct curl_blob blob = {(void *)data, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}

static inline CURLcode pb_set_callback(CURL *easy, CURLoption option, pb_data_callback value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode pb_set_prerequest(CURL *easy, curl_prereq_callback value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode pb_set_tls_setup(CURL *easy, curl_ssl_ctx_callback value) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, value);
}

static inline CURLcode pb_set_lookup(CURL *easy, curl_resolver_start_callback value) {
    return curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, value);
}

static inline CURLcode pb_set_open_socket(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

// In place: an IPv6 address is longer than the field.
static inline const struct sockaddr *pb_peer(const struct curl_sockaddr *address) {
    return &address->addr;
}

static inline CURLcode pb_set_close_socket(CURL *easy, curl_closesocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}

static inline CURLcode pb_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode pb_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

// The SSL of the connection that a transfer uses, where it has one and libcurl is built on OpenSSL.
static inline void *pb_get_openssl(CURL *easy) {
    struct curl_tlssessioninfo *info = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || info == NULL) return NULL;
    return info->backend == CURLSSLBACKEND_OPENSSL ? info->internals : NULL;
}

// A handle with a text for the failure of its transfer, which belongs to it. libcurl says only there what OpenSSL found.
static inline CURL *pb_new_handle(void) {
    CURL *easy = curl_easy_init();
    char *text = calloc(1, CURL_ERROR_SIZE);
    if (easy != NULL && text != NULL && curl_easy_setopt(easy, CURLOPT_PRIVATE, text) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, text) == CURLE_OK)
        return easy;
    curl_easy_cleanup(easy);
    free(text);
    return NULL;
}

static inline void pb_free_handle(CURL *easy) {
    char *text = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &text);
    curl_easy_cleanup(easy);
    free(text);
}

// Forgets the failure of the transfer before.
static inline void pb_clear_error(CURL *easy) {
    char *text = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &text);
    if (text != NULL) text[0] = '\0';
}

// The number of OpenSSL's error in the text of a failure; zero if there is none.
static inline unsigned long pb_openssl_error(CURL *easy) {
    char *text = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &text);
    const char *start = text != NULL ? strstr(text, "error:") : NULL;
    return start != NULL ? strtoul(start + strlen("error:"), NULL, 16) : 0;
}

static inline CURLMcode pb_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLcode pb_message_result(const CURLMsg *message) {
    return message->data.result;
}

static inline CURLcode pb_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

#endif
