/* The owner's wall clock, moved from outside: added to CLOCK_REALTIME is what the file named by FAULTS_CLOCK holds
 * (8 bytes, milliseconds, of this machine's byte order). The product has no hook for this, and needs none.
 * Programs that the owner starts keep the true time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile const int64_t *skew_ms;
static int (*true_time)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
    true_time = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    const char *path = getenv("FAULTS_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        void *page = mmap(NULL, sizeof *skew_ms, PROT_READ, MAP_SHARED, file, 0);
        if (page != MAP_FAILED)
            skew_ms = page;
        close(file);
    }
    unsetenv("LD_PRELOAD");
}

int clock_gettime(clockid_t clock, struct timespec *at) {
    if (!true_time)
        begin();
    int failed = true_time(clock, at);
    if (!failed && clock == CLOCK_REALTIME && skew_ms) {
        int64_t skew = *skew_ms;
        at->tv_sec += skew / 1000;
        at->tv_nsec += skew % 1000 * 1000000;
        if (at->tv_nsec >= 1000000000) {
            at->tv_nsec -= 1000000000;
            at->tv_sec += 1;
        } else if (at->tv_nsec < 0) {
            at->tv_nsec += 1000000000;
            at->tv_sec -= 1;
        }
    }
    return failed;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now))
        return -1;
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now))
        return (time_t)-1;
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}
