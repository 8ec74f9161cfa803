// Runs h2load under the same load and prints what it used, as the other programs do.
// h2load reports no CPU and counts no request of its warm-up. So it runs twice with fixed numbers of requests, and
// the difference counts: start, handshake and warm-up are in both runs.
// A program of its own, so that the peak memory is h2load's: a child inherits the peak of its parent.
// Usage: bench-h2load URL CA-FILE HTTP-VERSION IN-FLIGHT SECONDS BODY-FILE [DEVICES [HEADER-FILE URL-FILE]]; the
// version must be 2. The last two files have a header field and an address on each line; h2load takes the addresses in
// turn.

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    double seconds;
    double cpu;
    long peak_kb;
} Run;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void fail(const char *what) {
    fprintf(stderr, "bench-h2load: %s\n", what);
    exit(1);
}

enum { most_fields = 32 };

// The header fields of every request, and what comes behind them on h2load's command line.
typedef struct {
    char *fields[most_fields];
    int count;
    const char *url;
    const char *url_file;
} Target;

static void read_fields(Target *target, const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) fail("the header file cannot be read");
    char line[4096];
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (target->count == most_fields) fail("the header file has too many lines");
        target->fields[target->count++] = strdup(line);
    }
    fclose(file);
}

static void execute(const Target *target, const char *in_flight, const char *body, long requests) {
    char count[32];
    snprintf(count, sizeof count, "%ld", requests);
    // It checks no certificate. The server chooses version and cipher of TLS.
    const char *arguments[2 * most_fields + 16] = {
        "h2load", "-n", count, "-c", "1", "-t", "1", "-m", in_flight, "-d", body};
    int length = 11;
    for (int index = 0; index < target->count; index += 1) {
        arguments[length++] = "-H";
        arguments[length++] = target->fields[index];
    }
    if (target->url_file) arguments[length++] = "-i";
    arguments[length++] = target->url_file ? target->url_file : target->url;
    execvp("h2load", (char *const *)arguments);
    fail("h2load is missing; Debian has it in nghttp2-client");
}

static Run run(const Target *target, const char *in_flight, const char *body, long requests) {
    int ends[2];
    if (pipe(ends) != 0) fail("no pipe");
    double begin = now();
    pid_t child = fork();
    if (child < 0) fail("no process");
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execute(target, in_flight, body, requests);
    }
    close(ends[1]);
    long succeeded = 0, accepted = 0;
    int is_http2 = 0;
    char line[512];
    FILE *output = fdopen(ends[0], "r");
    while (output && fgets(line, sizeof line, output)) {
        sscanf(line, "requests: %*d total, %*d started, %*d done, %ld succeeded", &succeeded);
        sscanf(line, "status codes: %ld 2xx", &accepted);
        if (strcmp(line, "Application protocol: h2\n") == 0) is_http2 = 1;
    }
    if (output) fclose(output);
    int status = 0;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child || status != 0) fail("h2load failed");
    if (succeeded != requests || accepted != requests) fail("the server did not answer every request with 200");
    if (!is_http2) fail("the server did not choose HTTP/2");
    return (Run){
        .seconds = now() - begin,
        .cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
        .peak_kb = usage.ru_maxrss,
    };
}

int main(int count, char **arguments) {
    if (count < 7 || strcmp(arguments[3], "2") != 0) {
        fail("usage: bench-h2load URL CA-FILE 2 IN-FLIGHT SECONDS BODY-FILE [DEVICES [HEADER-FILE URL-FILE]]");
    }
    const char *in_flight = arguments[4], *body = arguments[6];
    Target target = {.url = arguments[1]};
    if (count >= 10) {
        read_fields(&target, arguments[8]);
        target.url_file = arguments[9];
    } else {
        target.fields[0] = "content-type: application/json";
        target.fields[1] =
            "authorization: Basic MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3OnNlY3JldHNlY3JldHNlY3JldHNlY3I=";
        target.count = 2;
    }
    long few = atol(in_flight) * 4;
    if (few < 2000) few = 2000;
    Run first = run(&target, in_flight, body, few);
    long measured = (long)((double)few / first.seconds * atof(arguments[5])) + 1;
    Run second = run(&target, in_flight, body, few + measured);
    printf("{\"requests\": %ld, \"seconds\": %.6f, \"cpu\": %.6f, \"peakKB\": %ld}\n", measured,
        second.seconds - first.seconds, second.cpu - first.cpu, second.peak_kb);
    return 0;
}
