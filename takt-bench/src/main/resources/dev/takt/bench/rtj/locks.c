/* Priority inheritance, inversion, and what a lock costs. */
#include "floor.h"

#define REPEATS 1000

static pthread_mutex_t lock;

static void make_mutex(pthread_mutex_t *mutex, int protocol, int ceiling) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, protocol);
  if (protocol == PTHREAD_PRIO_PROTECT) {
    pthread_mutexattr_setprioceiling(&attributes, ceiling);
  }
  if (pthread_mutex_init(mutex, &attributes) != 0) {
    fprintf(stderr, "no mutex with priority inheritance or ceiling\n");
    exit(1);
  }
}

static void make_lock(int inherit) {
  make_mutex(&lock, inherit ? PTHREAD_PRIO_INHERIT : PTHREAD_PRIO_NONE, 0);
}

/*
 * The case of three threads. Low takes the lock and runs until high waits for it; medium preempts
 * low and runs meanwhile; high preempts medium and locks. The boost is from high's call until low
 * goes on, the unboost from low's last instruction inside until high's first.
 */
static sem_t low_go, medium_go, high_go, done;
static volatile int wanted;
static int64_t high_before, low_boosted, low_last, high_first, low_section;
static int64_t hold_ns, burn_ns;

/* The processor time of the thread, which does not pass while others have the processor. */
static int64_t worked_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void burn(int64_t started_ns, int64_t duration_ns) {
  while (duration_ns > 0 && worked_ns() - started_ns < duration_ns) {
  }
}

static void *low_thread(void *unused) {
  (void)unused;
  become(settings.priority > 2 ? settings.priority - 2 : 0);
  for (long i = 0; i < settings.frames; i++) {
    while (sem_wait(&low_go) != 0) {
    }
    pthread_mutex_lock(&lock);
    sem_post(&medium_go); /* medium preempts here, and then high does */
    int64_t limit = now_ns() + 20000000;
    while (!wanted && now_ns() < limit) {
    }
    low_boosted = now_ns();
    int64_t started = worked_ns();
    burn(started, hold_ns);
    low_section = hold_ns == 0 ? 0 : worked_ns() - started;
    low_last = now_ns();
    pthread_mutex_unlock(&lock);
    sem_post(&done);
  }
  return NULL;
}

static void *medium_thread(void *unused) {
  (void)unused;
  become(settings.priority > 1 ? settings.priority - 1 : 0);
  for (long i = 0; i < settings.frames; i++) {
    while (sem_wait(&medium_go) != 0) {
    }
    sem_post(&high_go); /* high preempts here */
    burn(worked_ns(), burn_ns);
    sem_post(&done);
  }
  return NULL;
}

static void *high_thread(void *unused) {
  (void)unused;
  become(settings.priority);
  for (long i = 0; i < settings.frames; i++) {
    while (sem_wait(&high_go) != 0) {
    }
    wanted = 1;
    high_before = now_ns();
    pthread_mutex_lock(&lock);
    high_first = now_ns();
    pthread_mutex_unlock(&lock);
    sem_post(&done);
  }
  return NULL;
}

static void run_three(int inherit, int64_t *boost, int64_t *unboost, int64_t *excess) {
  make_lock(inherit);
  sem_init(&low_go, 0, 0);
  sem_init(&medium_go, 0, 0);
  sem_init(&high_go, 0, 0);
  sem_init(&done, 0, 0);
  pthread_t low = start(low_thread, NULL);
  pthread_t medium = start(medium_thread, NULL);
  pthread_t high = start(high_thread, NULL);
  become(0);
  int64_t release = now_ns() + 20000000;
  for (long i = 0; i < settings.frames; i++, release += settings.period_ns) {
    sleep_until(release);
    wanted = 0;
    sem_post(&low_go);
    for (int part = 0; part < 3; part++) {
      while (sem_wait(&done) != 0) {
      }
    }
    boost[i] = low_boosted - high_before;
    unboost[i] = high_first - low_last;
    excess[i] = high_first - high_before - low_section;
  }
  pthread_join(low, NULL);
  pthread_join(medium, NULL);
  pthread_join(high, NULL);
}

void run_inheritance(void) {
  int64_t *boost = new_samples(settings.frames);
  int64_t *unboost = new_samples(settings.frames);
  int64_t *excess = new_samples(settings.frames);
  hold_ns = 0;
  burn_ns = 2000000;
  run_three(1, boost, unboost, excess);
  int64_t *both = new_samples(settings.frames);
  for (long i = 0; i < settings.frames; i++) {
    both[i] = boost[i] + unboost[i];
  }
  print_samples("boost", boost, settings.frames);
  print_samples("unboost", unboost, settings.frames);
  print_samples("both", both, settings.frames);
}

void run_inversion(int inherit) {
  int64_t *boost = new_samples(settings.frames);
  int64_t *unboost = new_samples(settings.frames);
  int64_t *excess = new_samples(settings.frames);
  hold_ns = 1000000;
  burn_ns = 10000000;
  run_three(inherit, boost, unboost, excess);
  print_samples("excess", excess, settings.frames);
}

static volatile int64_t inside;
static volatile long calls;

static void __attribute__((noinline)) plain_call(void) {
  inside = now_ns();
  calls++;
}

static void __attribute__((noinline)) locked_call(void) {
  pthread_mutex_lock(&lock);
  inside = now_ns();
  calls++;
  pthread_mutex_unlock(&lock);
}

/* How much higher the ceiling is of the mutex that raises. */
#define RAISED_BY 5

static pthread_mutex_t ceiling, raising;

static void __attribute__((noinline)) ceiling_call(void) {
  pthread_mutex_lock(&ceiling);
  inside = now_ns();
  calls++;
  pthread_mutex_unlock(&ceiling);
}

static void __attribute__((noinline)) raising_call(void) {
  pthread_mutex_lock(&raising);
  inside = now_ns();
  calls++;
  pthread_mutex_unlock(&raising);
}

static int64_t entry(void (*call)(void)) {
  int64_t before = now_ns();
  call();
  return inside - before;
}

static int64_t repeated(void (*call)(void)) {
  int64_t before = now_ns();
  for (int i = 0; i < REPEATS; i++) {
    call();
  }
  return (now_ns() - before) * 1000 / REPEATS; /* picoseconds, so that nothing is lost */
}

#define KINDS 4

void run_locks(void) {
  static const char *names[KINDS] = {"plain", "inheriting", "ceiling", "raising"};
  static void (*const each[KINDS])(void) = {plain_call, locked_call, ceiling_call, raising_call};
  int64_t *entered[KINDS];
  int64_t *often[KINDS];
  for (int kind = 0; kind < KINDS; kind++) {
    entered[kind] = new_samples(settings.frames);
    often[kind] = new_samples(settings.frames);
  }
  make_lock(1);
  make_mutex(&ceiling, PTHREAD_PRIO_PROTECT, settings.priority);
  make_mutex(&raising, PTHREAD_PRIO_PROTECT, settings.priority + RAISED_BY);
  become(settings.priority);
  int kinds = 2; /* without the permission to raise, a ceiling cannot be measured */
  if (pthread_mutex_lock(&raising) == 0) {
    pthread_mutex_unlock(&raising);
    kinds = KINDS;
  }
  int64_t release = now_ns() + 20000000;
  for (long i = 0; i < settings.frames; i++, release += settings.period_ns) {
    sleep_until(release);
    for (int kind = 0; kind < kinds; kind++) {
      entered[kind][i] = entry(each[kind]);
    }
    for (int kind = 0; kind < kinds; kind++) {
      often[kind][i] = repeated(each[kind]);
    }
  }
  for (int kind = 0; kind < kinds; kind++) {
    char name[64];
    snprintf(name, sizeof name, "%s-repeated-ps", names[kind]);
    print_samples(names[kind], entered[kind], settings.frames);
    print_samples(name, often[kind], settings.frames);
  }
}
