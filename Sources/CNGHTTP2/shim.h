#ifndef PUSHBRIDGE_CNGHTTP2_SHIM_H
#define PUSHBRIDGE_CNGHTTP2_SHIM_H

#include <nghttp2/nghttp2.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// Swift's Glibc has neither epoll nor eventfd.

static inline int pb_signal(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

static inline int pb_poller(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

// Waits for bytes to read, and for room to write if asked to.
static inline int pb_watch(int poller, int descriptor, int is_new, int for_room) {
    struct epoll_event event = {.events = EPOLLIN | (for_room ? EPOLLOUT : 0), .data.fd = descriptor};
    return epoll_ctl(poller, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
}

static inline int pb_forget(int poller, int descriptor) {
    return epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, NULL);
}

typedef struct {
    int descriptor;
    int has_bytes;
    int has_room;
} pb_event;

enum { pb_most_events = 64 };

// A broken connection counts as one with bytes: reading tells what is wrong.
static inline int pb_wait(int poller, pb_event *events, int milliseconds) {
    struct epoll_event found[pb_most_events];
    int count = epoll_wait(poller, found, pb_most_events, milliseconds);
    for (int index = 0; index < count; index += 1) {
        events[index].descriptor = found[index].data.fd;
        events[index].has_bytes = (found[index].events & ~(uint32_t)EPOLLOUT) != 0;
        events[index].has_room = (found[index].events & EPOLLOUT) != 0;
    }
    return count < 0 ? 0 : count;
}

#endif
