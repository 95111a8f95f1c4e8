/* The bushing of models/bushing. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "vector.h"

typedef struct {
    Matrix T;
    Vector w, r_0, v_0;
} Frame;

typedef struct {
    Frame a, b;
    Vector f_a, t_a, f_b, t_b;
    double lossPower;
    Vector TS, TD;
    double RS[3];
    Vector RD;
    Vector r0;
    double theta0[3];
} Variables;

enum { INPUTS = 36, OUTPUTS = 13, TUNABLES = 12, FIXEDS = 6 };
enum { RotSeq_i = 0, RotSeq_j = 1, RotSeq_k = 2 };

/* The axes of the sequence, from 0, and the memory of the angles. */
typedef struct {
    int i, j, k;
    double sign, theta1, last_theta1;
    bool singular;
} Prepared;

#define IDENTITY {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
#define START \
    (Variables) { \
        .TS = {4.5e6, 4.5e6, 8e5}, .TD = {1e4, 1e4, 1e4}, .RS = {2.6e3, 2.6e3, 1e2}, .RD = {26, 26, 5}, \
        .a.T = IDENTITY, .b.T = IDENTITY \
    }

#include "component.h"

static bool is_within(size_t real, double value) { return real >= INPUTS + OUTPUTS + TUNABLES || value >= 0.0; }

static bool initialise(Component *self) {
    self->prepared = (Prepared){.i = RotSeq_i, .j = RotSeq_j, .k = RotSeq_k};
    self->prepared.sign = (RotSeq_j + 3 - RotSeq_i) % 3 == 1 ? 1.0 : -1.0;
    return true;
}

/* The Euler angles of T in a sequence of three different axes. */
static void euler_angles(Prepared *p, const Matrix *T, double theta[3]) {
    const double(*t)[3] = (const double(*)[3])T;
    const int i = p->i, j = p->j, k = p->k;
    const double square = t[i][i] * t[i][i] + t[j][i] * t[j][i], cosine = square > 1e-12 ? sqrt(square) : 0.0;
    theta[1] = atan2(p->sign * t[k][i], cosine);
    p->singular = cosine < 1e-6;
    if (p->singular) {
        /* theta1 is kept; the sum of both follows from the axes that are left. */
        theta[0] = p->theta1;
        theta[2] = atan2(p->sign * t[i][j], t[j][j]) - copysign(1.0, theta[1]) * theta[0];
        return;
    }
    theta[0] = atan2(-p->sign * t[k][j], t[k][k]);
    theta[2] = atan2(-p->sign * t[j][i], t[i][i]);
}

static double wrapped(double angle) { return angle - ceil((angle - M_PI) / (2 * M_PI)) * (2 * M_PI); }

static bool evaluate(Component *self) {
    Variables *v = &self->v;
    Prepared *p = &self->prepared;
    Matrix T_a, T_b;
    if (!nearest(&v->a.T, &T_a) || !nearest(&v->b.T, &T_b)) {
        return false;
    }
    const Vector r = turned(&T_a, minus(v->b.r_0, v->a.r_0));
    const Vector velocity = minus(turned(&T_a, minus(v->b.v_0, v->a.v_0)), cross(v->a.w, r));
    const Matrix T = relative_rotation(&T_b, &T_a);
    const Vector omega = minus(turned_back(&T, v->b.w), v->a.w);
    double theta[3], moments[3] = {0};
    euler_angles(p, &T, theta);
    p->last_theta1 = theta[0];

    const Vector spring = by_component(v->TS, minus(r, v->r0)), damper = by_component(v->TD, velocity);
    const Vector force = times(plus(spring, damper), -1.0);
    const int axes[3] = {p->i, p->j, p->k};
    for (int n = 0; n < 3; n++) {
        moments[axes[n]] -= v->RS[n] * wrapped(theta[n] - v->theta0[n]);
    }
    const Vector turning = by_component(v->RD, omega);
    const Vector moment = minus((Vector){moments[0], moments[1], moments[2]}, turning);
    v->f_a = force;
    v->t_a = plus(moment, cross(r, force));
    v->f_b = times(turned(&T, force), -1.0);
    v->t_b = times(turned(&T, moment), -1.0);
    v->lossPower = dot(velocity, damper) + dot(omega, turning);
    return true;
}

static bool advance(Component *self, double h) {
    (void)self, (void)h;
    return true;
}

static void complete(Component *self) {
    if (!self->prepared.singular) {
        self->prepared.theta1 = self->prepared.last_theta1;
    }
}
