/* What all floors share: time, scheduling, periodic sleeping, background threads, output. */
#ifndef TAKT_FLOOR_H
#define TAKT_FLOOR_H

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#ifndef SCHED_RESET_ON_FORK
#define SCHED_RESET_ON_FORK 0x40000000
#endif

/* So many frames of a run are not printed: whatever is done for the first time is done in them. */
#define WARMUP_FRAMES 3

/* The settings of a run, from the command line; the names are those of the Java side. */
struct settings {
  long frames;
  long period_ns;
  int priority;   /* of the measured thread; 0: none */
  int background; /* how many lower threads there are */
  int cpu;        /* where all run; -1: anywhere */
  const char *tables; /* the folder of the tables that the work reads */
};

extern struct settings settings;

static inline int64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static inline void sleep_until(int64_t time_ns) {
  struct timespec time = {time_ns / 1000000000LL, time_ns % 1000000000LL};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
  }
}

/* Gives the calling thread a FIFO priority (0: none), the processor, and the least timer slack. */
void become(int priority);

/* Starts a thread; ends the program if that is not possible. */
pthread_t start(void *(*body)(void *), void *argument);

/* The work of a frame, the same in each. */
struct flight;
struct flight *new_flight(void);
void fly_frame(struct flight *flight);

/* Starts the lower threads, which log the time and yield in each frame; stop_background ends them. */
void start_background(int64_t first_ns);
void stop_background(void);

int64_t *new_samples(long count);

/* Prints a line of JSON with what is not negative; one sample is of one frame. */
void print_samples(const char *name, const int64_t *samples, long count);

/* The same, where each frame has several samples. */
void print_parts(const char *name, const int64_t *samples, long frames, int parts);

/* From each sample to the next, as one series that is one shorter. */
void print_gaps(const char *name, const int64_t *stamps, long count);

void print_fact(const char *name, const char *text);

/* The kinds of floor; each prints its series. */
void run_periodic(int with_work);
void run_kinds(void);
void run_events(void);
void run_switch(void);
void run_inheritance(void);
void run_inversion(int inherit);
void run_locks(void);
void run_allocation(void);
void run_operations(void);
void run_creation(void);
void run_resolution(void);
void run_one_shot(void);
void run_yield(void);
void run_flight(void);
void run_watch(void);
void run_cyclic(void);
void run_playback(void);
void run_wakes(void);
void run_futex(void);
void run_stalls(void); /* no floor: it reports when nothing ran, and does not return */
void run_grab(void); /* no floor: it keeps processors busy beside one, and does not return */

#endif
