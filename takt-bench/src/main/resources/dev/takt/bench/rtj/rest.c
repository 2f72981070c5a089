/* Allocation, threads, clock. */
#include "floor.h"
#include <fcntl.h>
#include <linux/futex.h>
#include <math.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static void *volatile kept;

void run_allocation(void) {
  static const int sizes[] = {4, 8, 64, 512, 4096, 16384};
  int64_t *samples[6];
  become(settings.priority);
  for (int each = 0; each < 6; each++) {
    samples[each] = new_samples(settings.frames);
  }
  int64_t release = now_ns() + 20000000;
  for (long i = 0; i < settings.frames; i++, release += settings.period_ns) {
    sleep_until(release);
    for (int each = 0; each < 6; each++) {
      int64_t before = now_ns();
      kept = calloc(1, (size_t)sizes[each]);
      samples[each][i] = now_ns() - before;
      free(kept);
    }
  }
  for (int each = 0; each < 6; each++) {
    char name[32];
    snprintf(name, sizeof name, "calloc-%d", sizes[each]);
    print_samples(name, samples[each], settings.frames);
  }
}

/* Dividing, logarithms and nothing with operands in four pieces of memory, as in four areas. */
#define OPERATIONS 1000

/* How often in a frame. */
#define SAMPLES 50

static double operate(int operation, double operand) {
  double value = operand;
  for (int i = 0; i < OPERATIONS; i++) {
    value = operation == 0 ? value / 2 + 1 : operation == 1 ? log(value) + operand : value + 1;
  }
  return value;
}

void run_operations(void) {
  static const char *operations[] = {"division", "logarithm", "no-operation"};
  static const char *areas[] = {"heap", "immortal", "linear-time", "variable-time"};
  int64_t *samples[3][4];
  double *memory[4];
  become(settings.priority);
  for (int area = 0; area < 4; area++) {
    memory[area] = malloc(2 * sizeof(double));
    if (memory[area] == NULL) {
      exit(1);
    }
    memory[area][0] = 5;
    for (int operation = 0; operation < 3; operation++) {
      samples[operation][area] = new_samples(settings.frames * SAMPLES);
    }
  }
  int64_t release = now_ns() + 20000000;
  for (long i = 0; i < settings.frames; i++, release += settings.period_ns) {
    sleep_until(release);
    for (int each = 0; each < 4; each++) {
      int area = (int)((each + i) % 4); /* what comes first finds the caches cold */
      for (int operation = 0; operation < 3; operation++) {
        for (int sample = 0; sample < SAMPLES; sample++) {
          int64_t before = now_ns();
          memory[area][1] = operate(operation, memory[area][0]);
          samples[operation][area][i * SAMPLES + sample] = now_ns() - before;
        }
      }
    }
  }
  for (int operation = 0; operation < 3; operation++) {
    for (int area = 0; area < 4; area++) {
      char name[64];
      snprintf(name, sizeof name, "%s.%s", operations[operation], areas[area]);
      print_parts(name, samples[operation][area], settings.frames, SAMPLES);
    }
  }
}

static int64_t running_ns;

static void *stamp_thread(void *unused) {
  (void)unused;
  running_ns = now_ns();
  return NULL;
}

void run_creation(void) {
  int64_t *created = new_samples(settings.frames);
  int64_t *running = new_samples(settings.frames);
  become(settings.priority);
  int64_t release = now_ns() + 20000000;
  for (long i = 0; i < settings.frames; i++, release += settings.period_ns) {
    sleep_until(release);
    int64_t before = now_ns();
    pthread_t thread = start(stamp_thread, NULL);
    created[i] = now_ns() - before;
    pthread_join(thread, NULL);
    running[i] = running_ns - before;
  }
  print_samples("created", created, settings.frames);
  print_samples("running", running, settings.frames);
}

/* The least step above zero that the clock is seen to make, again and again. */
void run_resolution(void) {
  int64_t *steps = new_samples(settings.frames);
  become(settings.priority);
  for (long i = 0; i < settings.frames; i++) {
    int64_t from = now_ns();
    int64_t to = from;
    while (to == from) {
      to = now_ns();
    }
    steps[i] = to - from;
  }
  print_samples("step", steps, settings.frames);
}

/* Two threads of one priority on one processor yield to each other. */
#define YIELDS 1000
static pthread_barrier_t both;

static void *yielding_thread(void *argument) {
  int64_t *samples = argument;
  become(settings.priority);
  for (long i = 0; i < settings.frames; i++) {
    pthread_barrier_wait(&both);
    int64_t before = now_ns();
    for (int j = 0; j < YIELDS; j++) {
      sched_yield();
    }
    samples[i] = (now_ns() - before) / (2 * YIELDS); /* each yield lets the other one run once */
    pthread_barrier_wait(&both);
    usleep(1000);
  }
  return NULL;
}

void run_yield(void) {
  int64_t *one = new_samples(settings.frames);
  int64_t *other = new_samples(settings.frames);
  pthread_barrier_init(&both, NULL, 2);
  pthread_t first = start(yielding_thread, one);
  pthread_t second = start(yielding_thread, other);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  print_samples("yield", one, settings.frames);
}

/*
 * Asks, until the program ends, that idle processors stay awake, as cyclictest and real-time tasks do: in a guest, one
 * that sleeps has to be started again by its host. Where it is not permitted, they sleep.
 */
static void keep_processors_awake(void) {
  int32_t most_us = 0;
  int request = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
  int asked = request >= 0 && write(request, &most_us, sizeof most_us) == sizeof most_us;
  print_fact("idle", asked ? "awake" : "asleep");
}

/* How late a thread wakes up that only sleeps until each due time, and skips those that are over, as cyclictest does. */
void run_cyclic(void) {
  keep_processors_awake();
  int64_t *late = new_samples(settings.frames);
  become(settings.priority);
  int64_t due = now_ns() + settings.period_ns;
  for (long i = 0; i < settings.frames; i++) {
    sleep_until(due);
    int64_t now = now_ns();
    late[i] = now - due;
    do {
      due += settings.period_ns;
    } while (due < now);
  }
  print_samples("late", late, settings.frames);
}

static void futex_wait_for(uint32_t *word) {
  while (__atomic_exchange_n(word, 0, __ATOMIC_ACQ_REL) == 0) {
    syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL, NULL, 0);
  }
}

static void futex_set(uint32_t *word) {
  __atomic_store_n(word, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* How long it takes to wake another process and to be woken by it. */
void run_futex(void) {
  int64_t *trips = new_samples(settings.frames);
  uint32_t *words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (words == MAP_FAILED) {
    perror("mmap");
    exit(1);
  }
  uint32_t *there = words, *back = words + 64;
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0) {
    perror("fork");
    exit(1);
  }
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
      _exit(1);
    }
    for (;;) {
      futex_wait_for(there);
      futex_set(back);
    }
  }
  become(settings.priority);
  for (long i = 0; i < settings.frames; i++) {
    int64_t begin = now_ns();
    futex_set(there);
    futex_wait_for(back);
    trips[i] = now_ns() - begin;
  }
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  print_samples("trips", trips, settings.frames);
}
