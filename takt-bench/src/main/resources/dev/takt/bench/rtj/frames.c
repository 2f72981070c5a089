/* The floors whose samples come one in a frame. */
#include "floor.h"

/* When all threads have been started. */
static int64_t first_frame(void) { return now_ns() + 50000000; }

struct periodic {
  int64_t first_ns;
  int priority;
  struct flight *flight; /* its work; NULL: none */
  int times;             /* how often it does that in a frame */
  int64_t *starts;
  int64_t *ends;
};

static void *periodic_thread(void *argument) {
  struct periodic *own = argument;
  become(own->priority);
  int64_t release = own->first_ns;
  for (long i = 0; i < settings.frames; i++, release += settings.period_ns) {
    sleep_until(release);
    for (int time = 0; time < own->times; time++) {
      own->starts[own->times * i + time] = now_ns();
      if (own->flight != NULL) {
        fly_frame(own->flight);
      }
      own->ends[own->times * i + time] = now_ns();
    }
  }
  return NULL;
}

static struct periodic new_periodic(int priority, int with_work, int times) {
  struct periodic periodic = {0, priority, with_work ? new_flight() : NULL, times,
                              new_samples(times * settings.frames),
                              new_samples(times * settings.frames)};
  return periodic;
}

static void print_work(const char *name, const struct periodic *periodic) {
  long count = periodic->times * settings.frames;
  int64_t *took = new_samples(count);
  for (long i = 0; i < count; i++) {
    took[i] = periodic->ends[i] - periodic->starts[i];
  }
  print_parts(name, took, settings.frames, periodic->times);
}

void run_periodic(int with_work) {
  struct periodic periodic = new_periodic(settings.priority, with_work, 1);
  int64_t first = first_frame();
  periodic.first_ns = first;
  pthread_t thread = start(periodic_thread, &periodic);
  start_background(first);
  pthread_join(thread, NULL);
  stop_background();
  print_gaps("start", periodic.starts, settings.frames);
  print_gaps("end", periodic.ends, settings.frames);
  print_work("work", &periodic);
}

/* How often each of the three kinds computes in a frame. */
#define COMPUTATIONS 2

/* Two FIFO threads and one without, a third of a period apart: what the three kinds are in Java. */
void run_kinds(void) {
  static const char *names[] = {"no-heap", "realtime", "ordinary"};
  struct periodic kinds[3];
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) {
    kinds[i] = new_periodic(i < 2 ? settings.priority : 0, 1, COMPUTATIONS);
  }
  int64_t first = first_frame();
  for (int i = 0; i < 3; i++) {
    kinds[i].first_ns = first + i * settings.period_ns / 3;
    threads[i] = start(periodic_thread, &kinds[i]);
  }
  for (int i = 0; i < 3; i++) {
    pthread_join(threads[i], NULL);
    print_work(names[i], &kinds[i]);
  }
}

/* A timer's thread posts, a handler's thread of a higher priority logs. */
static sem_t fired;
static int64_t *handled;

static void *handler_thread(void *unused) {
  (void)unused;
  become(settings.priority);
  for (long i = 0; i < settings.frames; i++) {
    while (sem_wait(&fired) != 0) {
    }
    handled[i] = now_ns();
  }
  return NULL;
}

void run_events(void) {
  int64_t *fires = new_samples(settings.frames);
  int64_t *latency = new_samples(settings.frames);
  handled = new_samples(settings.frames);
  sem_init(&fired, 0, 0);
  pthread_t handler = start(handler_thread, NULL);
  int64_t first = first_frame();
  start_background(first);
  become(settings.priority > 1 ? settings.priority - 1 : 0);
  int64_t release = first;
  for (long i = 0; i < settings.frames; i++, release += settings.period_ns) {
    sleep_until(release);
    fires[i] = now_ns();
    sem_post(&fired);
  }
  pthread_join(handler, NULL);
  stop_background();
  for (long i = 0; i < settings.frames; i++) {
    latency[i] = handled[i] - fires[i];
  }
  print_gaps("event", handled, settings.frames);
  print_samples("latency", latency, settings.frames);
}

/* The higher thread logs before its yield, the lower one after its own; then the higher one sleeps. */
struct switching {
  int64_t first_ns;
  int priority;
  int higher;
  int64_t *stamps;
};

static void *switching_thread(void *argument) {
  struct switching *own = argument;
  become(own->priority);
  int64_t release = own->first_ns;
  for (long i = 0; i < settings.frames; i++, release += settings.period_ns) {
    sleep_until(release);
    if (own->higher) {
      own->stamps[i] = now_ns();
      sched_yield();
    } else {
      sched_yield();
      own->stamps[i] = now_ns();
    }
  }
  return NULL;
}

void run_switch(void) {
  int64_t first = first_frame();
  /* After its last frame the higher thread ends instead of waiting, which is no switch. */
  long frames = settings.frames++;
  struct switching high = {first, settings.priority, 1, new_samples(settings.frames)};
  struct switching low = {first, settings.priority > 1 ? settings.priority - 1 : 0, 0,
                          new_samples(settings.frames)};
  pthread_t lower = start(switching_thread, &low);
  pthread_t higher = start(switching_thread, &high);
  pthread_join(higher, NULL);
  pthread_join(lower, NULL);
  int64_t *latency = new_samples(frames);
  for (long i = 0; i < frames; i++) {
    latency[i] = low.stamps[i] - high.stamps[i]; /* negative if, without FIFO, low was first */
  }
  print_samples("switch", latency, frames);
}

/* A sleep until one moment, as a timer that fires once. */
void run_one_shot(void) {
  int64_t *late = new_samples(settings.frames);
  become(settings.priority);
  for (long i = 0; i < settings.frames; i++) {
    int64_t due = now_ns() + settings.period_ns;
    sleep_until(due);
    late[i] = now_ns() - due;
  }
  print_samples("late", late, settings.frames);
}

/*
 * What the machine does to a thread that does nothing: in each part of a frame it sleeps for one
 * half, and is late by so much, and looks at the clock for the other half, without which there is so
 * long a gap.
 */
#define PARTS 20

void run_watch(void) {
  long parts = settings.frames * PARTS;
  int64_t part_ns = settings.period_ns / PARTS;
  int64_t *late = new_samples(parts);
  int64_t *gap = new_samples(parts);
  int64_t *looked = new_samples(parts);
  become(settings.priority);
  int64_t due = first_frame();
  for (long i = 0; i < parts; i++, due += part_ns) {
    sleep_until(due);
    int64_t before = now_ns();
    int64_t started = before;
    late[i] = before - due;
    gap[i] = 0;
    do {
      int64_t now = now_ns();
      if (now - before > gap[i]) {
        gap[i] = now - before;
      }
      before = now;
    } while (before < due + part_ns / 2);
    looked[i] = before - started;
  }
  print_parts("late", late, settings.frames, PARTS);
  print_parts("gap", gap, settings.frames, PARTS);
  print_parts("looked", looked, settings.frames, PARTS);
}
