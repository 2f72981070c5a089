#include "floor.h"

struct settings settings = {200, 50000000, 50, 0, -1, "."};

void become(int priority) {
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  if (settings.cpu >= 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(settings.cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
  }
  if (priority > 0) {
    struct sched_param param = {.sched_priority = priority};
    sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param);
  }
}

pthread_t start(void *(*body)(void *), void *argument) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024); /* all of it is locked into memory */
  if (pthread_create(&thread, &attributes, body, argument) != 0) {
    perror("pthread_create");
    exit(1);
  }
  return thread;
}

static volatile int stopping;
static pthread_t background[64];
static int background_count;

struct lower {
  int64_t first_ns;
  int priority;
};

static void *lower_thread(void *argument) {
  struct lower *lower = argument;
  static __thread volatile int64_t log_ns;
  become(lower->priority);
  for (int64_t release = lower->first_ns; !stopping; release += settings.period_ns) {
    sleep_until(release);
    log_ns = now_ns();
    sched_yield();
  }
  (void)log_ns;
  free(lower);
  return NULL;
}

void start_background(int64_t first_ns) {
  stopping = 0;
  background_count = settings.background < 64 ? settings.background : 64;
  for (int i = 0; i < background_count; i++) {
    struct lower *lower = malloc(sizeof *lower);
    lower->first_ns = first_ns;
    lower->priority = settings.priority > 20 ? settings.priority - 20 : 0;
    background[i] = start(lower_thread, lower);
  }
}

void stop_background(void) {
  stopping = 1;
  for (int i = 0; i < background_count; i++) {
    pthread_join(background[i], NULL);
  }
}

int64_t *new_samples(long count) {
  int64_t *samples = calloc((size_t)count, sizeof *samples);
  if (samples == NULL) {
    perror("calloc");
    exit(1);
  }
  memset(samples, 1, (size_t)count * sizeof *samples); /* not for the first time while it measures */
  return samples;
}

void print_samples(const char *name, const int64_t *samples, long count) {
  print_parts(name, samples, count, 1);
}

void print_parts(const char *name, const int64_t *samples, long frames, int parts) {
  const char *before = "";
  printf("{\"series\":{\"%s\":[", name);
  for (long i = WARMUP_FRAMES * parts; i < frames * parts; i++) {
    if (samples[i] >= 0) {
      printf("%s%lld", before, (long long)samples[i]);
      before = ",";
    }
  }
  printf("]}}\n");
}

void print_fact(const char *name, const char *text) {
  printf("{\"facts\":{\"%s\":\"%s\"}}\n", name, text);
}

void print_gaps(const char *name, const int64_t *stamps, long count) {
  printf("{\"series\":{\"%s\":[", name);
  for (long i = WARMUP_FRAMES + 1; i < count; i++) {
    printf(i == WARMUP_FRAMES + 1 ? "%lld" : ",%lld", (long long)(stamps[i] - stamps[i - 1]));
  }
  printf("]}}\n");
}

static const char *granted(int priority) {
  int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  return policy == SCHED_FIFO ? "FIFO" : priority == 0 ? "OTHER" : "OTHER, FIFO not permitted";
}

static void run_start(void) { run_periodic(0); }
static void run_end(void) { run_periodic(1); }
static void run_inversion_pi(void) { run_inversion(1); }
static void run_inversion_plain(void) { run_inversion(0); }

static const struct {
  const char *name;
  void (*run)(void);
} kinds[] = {
    {"start", run_start},
    {"end", run_end},
    {"kinds", run_kinds},
    {"events", run_events},
    {"switch", run_switch},
    {"inheritance", run_inheritance},
    {"inversion-pi", run_inversion_pi},
    {"inversion-plain", run_inversion_plain},
    {"locks", run_locks},
    {"allocation", run_allocation},
    {"operations", run_operations},
    {"creation", run_creation},
    {"resolution", run_resolution},
    {"one-shot", run_one_shot},
    {"yield", run_yield},
    {"flight", run_flight},
    {"watch", run_watch},
    {"cyclic", run_cyclic},
    {"playback", run_playback},
    {"stalls", run_stalls},
    {"grab", run_grab},
    {"wakes", run_wakes},
    {"futex", run_futex},
};

static int run(const char *name) {
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strcmp(kinds[i].name, name) == 0) {
      kinds[i].run();
      return 1;
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 8) {
    fprintf(stderr, "usage: floor KIND FRAMES PERIOD_NS PRIORITY BACKGROUND CPU TABLES\n");
    return 2;
  }
  settings.frames = atol(argv[2]) + WARMUP_FRAMES;
  settings.period_ns = atol(argv[3]);
  settings.priority = atoi(argv[4]);
  settings.background = atoi(argv[5]);
  settings.cpu = atoi(argv[6]);
  settings.tables = argv[7];
  int locked = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  const char *kind = argv[1];
  if (!run(kind)) {
    fprintf(stderr, "no kind %s\n", kind);
    return 2;
  }
  become(settings.priority);
  print_fact("scheduling", granted(settings.priority));
  print_fact("memory", locked ? "locked" : "not locked");
  return 0;
}
