/* A video: frames that are decoded by time, and what takes the processors from them meanwhile. And what waking up costs. */
#include "floor.h"

/* The same as in Java, class VideoDecoder: a residual of 6 bits for each pixel, 48 KiB a frame. */
#define SIDE 256
#define PIXELS (SIDE * SIDE)
#define FRAME_BYTES (PIXELS / 4 * 3)
#define FRAMES 8
#define OUTSIDE 128

static uint8_t frames[FRAMES][FRAME_BYTES];
static uint32_t picture[PIXELS];

static void make_frames(void) {
  uint64_t state = 1;
  for (int frame = 0; frame < FRAMES; frame++) {
    for (int i = 0; i < FRAME_BYTES; i++) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      frames[frame][i] = (uint8_t)(state >> 56);
    }
  }
}

static int predicted(int left, int up, int corner) {
  int low = left < up ? left : up;
  int high = left < up ? up : left;
  return corner >= high ? low : corner <= low ? high : left + up - corner;
}

static void pixel(int i, int residual) {
  int x = i % SIDE;
  int left = x == 0 ? OUTSIDE : (int)(picture[i - 1] & 255);
  int up = i < SIDE ? OUTSIDE : (int)(picture[i - SIDE] & 255);
  int corner = x == 0 || i < SIDE ? OUTSIDE : (int)(picture[i - SIDE - 1] & 255);
  int value = predicted(left, up, corner) + residual - 32;
  int grey = value < 0 ? 0 : value > 255 ? 255 : value;
  picture[i] = 0xff000000u | (uint32_t)grey * 0x010101u;
}

static void decode(long number) {
  const uint8_t *frame = frames[number % FRAMES];
  for (int i = 0, at = 0; i < PIXELS; i += 4, at += 3) {
    int bits = frame[at] << 16 | frame[at + 1] << 8 | frame[at + 2];
    pixel(i, bits >> 18);
    pixel(i + 1, bits >> 12 & 63);
    pixel(i + 2, bits >> 6 & 63);
    pixel(i + 3, bits & 63);
  }
}

static uint32_t checksum(void) {
  uint32_t sum = 0;
  for (int i = 0; i < PIXELS; i++) {
    sum = sum * 31 + picture[i];
  }
  return sum;
}

void run_playback(void) {
  int64_t *begins = new_samples(settings.frames);
  int64_t *ends = new_samples(settings.frames);
  make_frames();
  become(settings.priority);
  int64_t due = now_ns() + 50000000;
  for (long i = 0; i < settings.frames; i++, due += settings.period_ns) {
    sleep_until(due);
    begins[i] = now_ns() - due;
    decode(i);
    ends[i] = now_ns() - due;
  }
  print_samples("begin", begins, settings.frames);
  print_samples("end", ends, settings.frames);
  decode(0);
  char text[16];
  snprintf(text, sizeof text, "%x", checksum());
  print_fact("checksum", text);
}

/* So much of each processor is taken. Source: CPU control 3. */
#define GRABBED_PERCENT 85

static int64_t used_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* What it takes to wake up at each due time and do nothing: the least of any supervisor. */
void run_wakes(void) {
  become(settings.priority);
  int64_t before_ns = used_ns();
  int64_t due = now_ns();
  for (long i = 0; i < settings.frames; i++) {
    due += settings.period_ns;
    sleep_until(due);
  }
  char text[32];
  snprintf(text, sizeof text, "%lld", (long long)((used_ns() - before_ns) / settings.frames));
  print_fact("wake-ns", text);
}

static void *ends_with_input(void *unused) {
  (void)unused;
  char byte;
  while (read(0, &byte, 1) > 0) {
  }
  exit(0);
}

/* Prints from when to when its processor did not run it, until the input ends. */
void run_stalls(void) {
  start(ends_with_input, NULL);
  become(settings.priority);
  for (int64_t due = now_ns() + settings.period_ns;;) {
    sleep_until(due);
    int64_t now = now_ns();
    if (now - due >= settings.period_ns) {
      printf("%lld %lld\n", (long long)due, (long long)now);
      fflush(stdout);
    }
    do {
      due += settings.period_ns;
    } while (due < now);
  }
}

static void *grabbing_thread(void *argument) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET((int)(intptr_t)argument, &set);
  sched_setaffinity(0, sizeof set, &set);
  volatile uint64_t state = 1;
  for (int64_t next = now_ns();;) {
    int64_t now = now_ns();
    next = next + settings.period_ns > now ? next + settings.period_ns : now + settings.period_ns;
    int64_t until = used_ns() + settings.period_ns * GRABBED_PERCENT / 100;
    while (used_ns() < until && now_ns() < next) {
      for (int i = 0; i < 10000; i++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      }
    }
    sleep_until(next);
  }
  return NULL;
}

/* On each processor that this process may use, until the input ends, which it does with the suite. */
void run_grab(void) {
  cpu_set_t all;
  sched_getaffinity(0, sizeof all, &all);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
    if (CPU_ISSET(cpu, &all)) {
      start(grabbing_thread, (void *)(intptr_t)cpu);
    }
  }
  ends_with_input(NULL);
}
