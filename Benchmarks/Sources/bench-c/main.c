// The floor: the cost of libcurl itself for the same requests, in one thread around curl_multi_poll.
// Handles, connections and header lists are reused, as in any program that wants to be fast.
// Usage: bench-c URL CA-FILE HTTP-VERSION IN-FLIGHT SECONDS BODY-FILE

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const double warm_up = 0.3;

typedef struct {
    CURL *easy;
    char answer[4096];
    size_t length;
} Slot;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double cpu(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

// Not from getrusage: that also counts what the parent process held before this program began.
static long peak_kb(void) {
    char line[256];
    long kb = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file)) sscanf(line, "VmHWM: %ld", &kb);
    if (file) fclose(file);
    return kb;
}

static size_t receive(char *data, size_t size, size_t count, void *context) {
    Slot *slot = context;
    size_t bytes = size * count;
    if (slot->length + bytes > sizeof slot->answer) return 0;
    memcpy(slot->answer + slot->length, data, bytes);
    slot->length += bytes;
    return bytes;
}

static void fail(const char *what) {
    fprintf(stderr, "bench-c: %s\n", what);
    exit(1);
}

int main(int count, char **arguments) {
    if (count < 7) fail("usage: bench-c URL CA-FILE HTTP-VERSION IN-FLIGHT SECONDS BODY-FILE");
    const char *url = arguments[1], *ca = arguments[2];
    long version = arguments[3][0] == '2' ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1;
    int in_flight = atoi(arguments[4]);
    double seconds = atof(arguments[5]);

    FILE *file = fopen(arguments[6], "rb");
    if (!file) fail("the body file cannot be read");
    static char body[1 << 20];
    size_t body_length = fread(body, 1, sizeof body, file);
    fclose(file);

    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)in_flight);
    curl_multi_setopt(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, (long)(in_flight > 100 ? in_flight : 100));
    struct curl_slist *headers = curl_slist_append(NULL, "Expect:");
    headers = curl_slist_append(headers, "Content-Type: application/json");
    headers = curl_slist_append(headers, "Authorization: Basic MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3OnNlY3JldHNlY3JldHNlY3JldHNlY3I=");

    Slot *slots = calloc((size_t)in_flight, sizeof *slots);
    for (int index = 0; index < in_flight; index += 1) {
        CURL *easy = slots[index].easy = curl_easy_init();
        curl_easy_setopt(easy, CURLOPT_PRIVATE, &slots[index]);
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, &slots[index]);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
        curl_easy_setopt(easy, CURLOPT_URL, url);
        curl_easy_setopt(easy, CURLOPT_CAINFO, ca);
        curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, version);
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)body_length);
        curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
        curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 16L << 10);
        curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 10000L);
        curl_multi_add_handle(multi, easy);
    }

    double begin = now(), used = 0;
    long finished = 0;
    int measuring = 0;
    for (;;) {
        int running = 0, left = 0, any = 0;
        curl_multi_perform(multi, &running);
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            if (message->data.result != CURLE_OK) fail(curl_easy_strerror(message->data.result));
            CURL *easy = message->easy_handle;
            Slot *slot;
            long status = 0;
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&slot);
            if (status != 200 || slot->length == 0) fail("the server did not answer 200 with a body");
            slot->length = 0;
            finished += 1;
            any = 1;
            curl_multi_remove_handle(multi, easy);
            curl_multi_add_handle(multi, easy);
        }
        double time = now();
        if (!measuring && time - begin >= warm_up) {
            measuring = 1;
            begin = time;
            finished = 0;
            used = cpu();
        } else if (measuring && time - begin >= seconds) {
            double total = cpu() - used;
            printf("{\"requests\": %ld, \"seconds\": %.6f, \"cpu\": %.6f, \"peakKB\": %ld}\n", finished, time - begin,
                total, peak_kb());
            return 0;
        }
        if (!any) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
}
