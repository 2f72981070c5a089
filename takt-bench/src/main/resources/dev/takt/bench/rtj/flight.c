/* The flight controls of a frame: the same computation as the Java side's, on the same tables. */
#include "floor.h"

#include <math.h>

#define PI 3.14159265358979323846
#define CANDIDATES 40
#define STEPS 1300
#define STEP_S 0.002
#define FRAME_S 0.05
#define FRAMES_BEFORE 20 /* flown before the one that is computed again and again */
#define MAX_POINTS 64    /* of a table, to each side */
#define MAX_COLUMNS 16
#define GAINS 11
#define DERIVATIVES 16

struct grid {
  int columns, x_count, y_count;
  double xs[MAX_POINTS], ys[MAX_POINTS];
  double *values;
};

/* A place in a grid. */
struct place {
  const double *low, *right;
  int columns;
  double x_share, y_share;
};

static void bad_table(const char *name) {
  fprintf(stderr, "no table, or a bad one: %s\n", name);
  exit(1);
}

static void read_grid(struct grid *grid, const char *name, int columns) {
  char path[4096], line[4096];
  int rows = 0, named = 0;
  snprintf(path, sizeof path, "%s/%s", settings.tables, name);
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    bad_table(path);
  }
  memset(grid, 0, sizeof *grid);
  grid->columns = columns;
  grid->values = calloc((size_t)MAX_POINTS * MAX_POINTS * columns, sizeof(double));
  while (fgets(line, sizeof line, file) != NULL) {
    if (line[0] == '#') {
      continue;
    }
    if (!named) {
      named = 1;
      continue;
    }
    char *at = line;
    double row[MAX_COLUMNS + 2];
    for (int i = 0; i < columns + 2; i++, at += *at == ',') {
      row[i] = strtod(at, &at);
    }
    if (grid->x_count == 0 || grid->xs[grid->x_count - 1] != row[0]) {
      if (grid->x_count == MAX_POINTS) {
        bad_table(path);
      }
      grid->xs[grid->x_count++] = row[0];
    }
    if (grid->x_count == 1) {
      if (grid->y_count == MAX_POINTS) {
        bad_table(path);
      }
      grid->ys[grid->y_count++] = row[1];
    }
    memcpy(grid->values + (size_t)rows++ * columns, row + 2, columns * sizeof(double));
  }
  fclose(file);
  if (grid->x_count < 2 || grid->y_count < 2 || rows != grid->x_count * grid->y_count) {
    bad_table(path);
  }
}

static double clamp(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

static int below(const double *points, int count, double value) {
  int low = 0, high = count - 2;
  while (low < high) {
    int middle = (low + high + 1) >> 1;
    if (points[middle] <= value) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

static struct place locate(const struct grid *grid, double x, double y) {
  int xi = below(grid->xs, grid->x_count, x);
  int yi = below(grid->ys, grid->y_count, y);
  struct place place;
  place.columns = grid->columns;
  place.x_share = clamp((x - grid->xs[xi]) / (grid->xs[xi + 1] - grid->xs[xi]), 0, 1);
  place.y_share = clamp((y - grid->ys[yi]) / (grid->ys[yi + 1] - grid->ys[yi]), 0, 1);
  place.low = grid->values + (size_t)(xi * grid->y_count + yi) * grid->columns;
  place.right = place.low + (size_t)grid->y_count * grid->columns;
  return place;
}

static double value(const struct place *place, int column) {
  const double *at = place->low + column;
  const double *right = place->right + column;
  double low = at[0] + place->y_share * (at[place->columns] - at[0]);
  double high = right[0] + place->y_share * (right[place->columns] - right[0]);
  return low + place->x_share * (high - low);
}

static double sine(double angle) {
  double turns = rint(angle / PI);
  double x = angle - turns * PI;
  double s = x * x;
  double y = x * (1 + s * (-1.0 / 6 + s * (1.0 / 120 +
                  s * (-1.0 / 5040 + s * (1.0 / 362880 - s / 39916800)))));
  return ((long)turns & 1) == 0 ? y : -y;
}

struct aircraft {
  double mach, altitude_m, alpha, beta, pitch_rate, roll_rate, yaw_rate, pitch, bank;
  double load_factor, side_factor, speed, pressure;
};

static void air(struct aircraft *a) {
  double cold = 1 - 2.2558e-5 * a->altitude_m;
  double density = 1.225 * (cold * cold * cold * cold) * sqrt(sqrt(cold));
  a->speed = a->mach * (340.3 - 0.0041 * a->altitude_m);
  a->pressure = 0.5 * density * a->speed * a->speed;
}

#define MASS_KG 9295.0
#define AREA_M2 27.87
#define SPAN_M 9.14
#define CHORD_M 3.45
#define ROLL_INERTIA 12875.0
#define PITCH_INERTIA 75674.0
#define YAW_INERTIA 85552.0
#define GRAVITY 9.80665

static void fly(struct aircraft *a, const struct grid *derivatives, const double surfaces[3],
                double gust_alpha) {
  double elevator = surfaces[0], aileron = surfaces[1], rudder = surfaces[2];
  double flow = a->alpha + gust_alpha;
  struct place d = locate(derivatives, a->mach, flow * (180 / PI));
  double force = a->pressure * AREA_M2;
  double roll = a->roll_rate * SPAN_M / (2 * a->speed);
  double yaw = a->yaw_rate * SPAN_M / (2 * a->speed);
  double pitching = a->pitch_rate * CHORD_M / (2 * a->speed);
  double lift = force * (value(&d, 0) + 0.4 * elevator);
  double side = force * value(&d, 5) * a->beta;
  double cos_bank = sine(a->bank + PI / 2);
  double sin_bank = sine(a->bank);
  a->load_factor = (lift + force * value(&d, 1) * flow) / (MASS_KG * GRAVITY);
  a->side_factor = side / (MASS_KG * GRAVITY);
  double pitch_moment =
      force * CHORD_M * (value(&d, 2) + value(&d, 3) * pitching + value(&d, 4) * elevator);
  double roll_moment = force * SPAN_M *
                       (value(&d, 6) * a->beta + value(&d, 7) * roll + value(&d, 8) * yaw +
                        value(&d, 9) * aileron + value(&d, 10) * rudder);
  double yaw_moment = force * SPAN_M *
                      (value(&d, 11) * a->beta + value(&d, 12) * roll + value(&d, 13) * yaw +
                       value(&d, 14) * aileron + value(&d, 15) * rudder);
  a->alpha += STEP_S * (a->pitch_rate - a->roll_rate * a->beta +
                        (GRAVITY * cos_bank - a->load_factor * GRAVITY) / a->speed);
  a->beta += STEP_S * (a->alpha * a->roll_rate - a->yaw_rate +
                       (side / MASS_KG + GRAVITY * sin_bank) / a->speed);
  a->pitch_rate +=
      STEP_S * (pitch_moment + (YAW_INERTIA - ROLL_INERTIA) * a->roll_rate * a->yaw_rate) / PITCH_INERTIA;
  a->roll_rate +=
      STEP_S * (roll_moment + (PITCH_INERTIA - YAW_INERTIA) * a->pitch_rate * a->yaw_rate) / ROLL_INERTIA;
  a->yaw_rate +=
      STEP_S * (yaw_moment + (ROLL_INERTIA - PITCH_INERTIA) * a->roll_rate * a->pitch_rate) / YAW_INERTIA;
  a->pitch += STEP_S * (a->pitch_rate * cos_bank - a->yaw_rate * sin_bank);
  a->bank += STEP_S * a->roll_rate;
}

struct laws {
  double surfaces[3]; /* elevator, aileron, rudder */
  double asked_nz, asked_roll, nz_integral, roll_integral, slow_yaw_rate;
  double in1, in2, out1, out2;
};

static const double rates[3] = {1.05, 1.40, 2.10};
static const double limits[3] = {0.436, 0.375, 0.524};

static int is_free(int surface, double command, double direction) {
  return fabs(command) < limits[surface] || command * direction < 0;
}

static double notch(struct laws *l, double in) {
  const double b1 = -1.984229402628956, gain = 0.9298;
  double out = gain * (in + b1 * l->in1 + l->in2) - b1 * gain * l->out1 - (2 * gain - 1) * l->out2;
  l->in2 = l->in1;
  l->in1 = in;
  l->out2 = l->out1;
  l->out1 = out;
  return out;
}

static void follow(struct laws *l, int surface, double command) {
  double *at = &l->surfaces[surface];
  double rate = 20 * (clamp(command, -limits[surface], limits[surface]) - *at);
  *at = clamp(*at + STEP_S * clamp(rate, -rates[surface], rates[surface]), -limits[surface],
              limits[surface]);
}

static void control(struct laws *l, const struct grid *gains, const struct aircraft *a,
                    double pitch_stick, double roll_stick) {
  struct place g = locate(gains, a->mach, a->altitude_m);
  l->asked_nz += STEP_S * 6 * (1 + pitch_stick * value(&g, 9) - l->asked_nz);
  l->asked_roll += STEP_S * 6 * (roll_stick * value(&g, 10) - l->asked_roll);
  double nz_error = l->asked_nz - a->load_factor;
  double pitch_command = -value(&g, 0) * nz_error - l->nz_integral +
                         value(&g, 2) * notch(l, a->pitch_rate) + value(&g, 3) * a->alpha;
  if (is_free(0, pitch_command, -nz_error)) {
    l->nz_integral += STEP_S * value(&g, 1) * nz_error;
  }
  double roll_error = l->asked_roll - a->roll_rate;
  double roll_command = value(&g, 4) * roll_error + l->roll_integral;
  if (is_free(1, roll_command, roll_error)) {
    l->roll_integral += STEP_S * value(&g, 5) * roll_error;
  }
  l->slow_yaw_rate += STEP_S * 0.7 * (a->yaw_rate - l->slow_yaw_rate);
  double yaw_command = value(&g, 6) * (a->yaw_rate - l->slow_yaw_rate) - value(&g, 7) * a->beta +
                       value(&g, 8) * roll_command;
  follow(l, 0, pitch_command);
  follow(l, 1, roll_command);
  follow(l, 2, yaw_command);
}

/* What a frame changes. */
struct state {
  struct aircraft aircraft;
  struct laws laws;
  int64_t frames, gust;
  double gust_alpha;
};

struct flight {
  struct grid gains, derivatives;
  struct state now, marked;
  double share;
};

static int stays_inside(struct flight *f, double pitch_stick, double roll_stick) {
  struct aircraft model = f->now.aircraft;
  struct laws laws = f->now.laws;
  int inside = 1;
  air(&model);
  for (int i = 0; i < STEPS; i++) {
    control(&laws, &f->gains, &model, pitch_stick, roll_stick);
    fly(&model, &f->derivatives, laws.surfaces, 0);
    inside &= model.alpha < 0.44 && fabs(model.beta) < 0.16 && model.load_factor < 7.5 &&
              model.load_factor > -2.5;
  }
  return inside;
}

static void frame(struct flight *f) {
  struct state *s = &f->now;
  double time = s->frames * FRAME_S;
  double phase = time - 8 * floor(time / 8);
  double pitch_stick = phase < 2.5 ? 0.9 : phase < 4 ? 0 : phase < 5.5 ? -0.35 : 0;
  double roll_stick = phase < 1 ? 0.6 : phase < 4.5 ? 0 : phase < 5.5 ? -0.6 : 0;
  s->aircraft.mach = 0.6 + 0.2 * sine(time / 20);
  s->aircraft.altitude_m = 4000 + 2500 * sine(time / 31);
  air(&s->aircraft);
  f->share = 0;
  for (int candidate = 1; candidate <= CANDIDATES; candidate++) {
    double share = candidate / (double)CANDIDATES;
    if (stays_inside(f, share * pitch_stick, share * roll_stick)) {
      f->share = share;
    }
  }
  for (double flown = 0; flown < FRAME_S - STEP_S / 2; flown += STEP_S) {
    s->gust = (int64_t)((uint64_t)s->gust * 6364136223846793005U + 1442695040888963407U);
    double noise = (double)(s->gust >> 11) * 0x1.0p-53;
    s->gust_alpha += 0.016 * (0.03 * noise - s->gust_alpha);
    control(&s->laws, &f->gains, &s->aircraft, f->share * pitch_stick, f->share * roll_stick);
    fly(&s->aircraft, &f->derivatives, s->laws.surfaces, s->gust_alpha);
  }
  s->frames++;
}

struct flight *new_flight(void) {
  struct flight *flight = calloc(1, sizeof *flight);
  read_grid(&flight->gains, "gains.csv", GAINS);
  read_grid(&flight->derivatives, "derivatives.csv", DERIVATIVES);
  flight->now.aircraft.load_factor = 1;
  flight->now.laws.asked_nz = 1;
  flight->now.gust = 1;
  for (int i = 0; i < FRAMES_BEFORE; i++) {
    frame(flight);
  }
  flight->marked = flight->now;
  return flight;
}

void fly_frame(struct flight *flight) {
  flight->now = flight->marked;
  frame(flight);
}

static uint64_t sum(uint64_t checksum, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (checksum << 7 | checksum >> 57) ^ bits;
}

/* Tells by a checksum as the Java side's that it computes the same. */
void run_flight(void) {
  struct flight *flight = new_flight();
  fly_frame(flight);
  uint64_t checksum = sum(0, flight->share);
  checksum = sum(checksum, flight->now.aircraft.alpha);
  checksum = sum(checksum, flight->now.aircraft.roll_rate);
  checksum = sum(checksum, flight->now.laws.surfaces[0]);
  char text[20];
  snprintf(text, sizeof text, "%llx", (unsigned long long)checksum);
  print_fact("checksum", text);
}
