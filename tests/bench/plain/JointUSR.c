/* The assembly of models/joint-usr: universal, spherical and revolute joint. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "vector.h"

typedef struct {
    Matrix T;
    Vector w, a_0, r_0, v_0, z;
} Frame;

typedef struct {
    Vector f, t;
} Load;

typedef struct {
    double tau;
    Frame a, b;
    Load load_ia, load_ib, load_im;
    double angle, axis_a, axis_phi, axis_w, bearing_phi, bearing_tau, f_rod;
    Load load_a, load_b;
    Frame ia, ib, im;
    double phi;
    double rod1Length;
    Vector eRod1_ia, e2_ia;
    Vector n1_a, n_b, rRod1_ia, rRod2_ib;
    double phi_offset, phi_guess, look[8];
} Variables;

/* Of the outputs the last seven are calculated parameters. */
enum { INPUTS = 67, OUTPUTS = 99, TUNABLES = 0, FIXEDS = 22 };

/* Unit vectors that follow from the parameters, and the configuration. */
typedef struct {
    Vector n1, e, eR_ia, e2_ia, e3_ia;
    double length, sign, last_angle;
} Prepared;

#define IDENTITY {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
#define START \
    (Variables) { \
        .n1_a = {0, 0, 1}, .n_b = {0, 0, 1}, .rRod1_ia = {1, 0, 0}, .rRod2_ib = {-1, 0, 0}, \
        .look = {0.1, 0.05, 0.05, 0.7, 0.05, 0.1, 0.1, 0.05}, .a.T = IDENTITY, .b.T = IDENTITY, .b.r_0 = {1, 1, 0} \
    }

#include "component.h"

static bool is_within(size_t real, double value) { return real * sizeof(double) < offsetof(Variables, look) || value >= 0.0; }

/* A cos(angle) + B sin(angle) + C for a vector, or for its rates. */
typedef struct {
    double a, b, c;
} Condition;

static Condition condition(Vector e, Vector q, Vector p, double c) {
    const double axial = dot(e, q) * dot(e, p);
    return (Condition){-2.0 * (dot(q, p) - axial), 2.0 * dot(q, cross(e, p)), c - 2.0 * axial};
}

/* The rotation about a unit vector. */
static Matrix about(Vector e, double sine, double cosine) {
    const Vector u = times(e, 1.0 - cosine), s = times(e, sine);
    return (Matrix){{u.x * e.x + cosine, u.x * e.y + s.z, u.x * e.z - s.y},
                    {u.y * e.x - s.z, u.y * e.y + cosine, u.y * e.z + s.x},
                    {u.z * e.x + s.y, u.z * e.y - s.x, u.z * e.z + cosine}};
}

/* A vector as seen from a moving frame, with the rates of its components. */
typedef struct {
    Vector r, v, a;
} Seen;

static Seen sees(const Frame *from, const Frame *other) {
    const Vector r = turned(&from->T, minus(other->r_0, from->r_0));
    const Vector v = minus(turned(&from->T, minus(other->v_0, from->v_0)), cross(from->w, r));
    const Vector inertial = turned(&from->T, minus(other->a_0, from->a_0));
    const Vector a = minus(minus(minus(inertial, cross(from->z, r)), times(cross(from->w, v), 2.0)),
                           cross(from->w, cross(from->w, r)));
    return (Seen){r, v, a};
}

/* A frame turned about its origin, with the rates of the turn resolved in the frame that is turned. */
static void turn(const Frame *from, const Matrix *T, Vector w, Vector z, Frame *to) {
    const Vector own = turned(T, from->w);
    to->r_0 = from->r_0;
    to->T = product(T, &from->T);
    to->v_0 = from->v_0;
    to->w = plus(own, w);
    to->a_0 = from->a_0;
    to->z = plus(minus(turned(T, from->z), cross(w, own)), z);
}

static bool initialise(Component *self) {
    const Variables *v = &self->v;
    Prepared *p = &self->prepared;
    p->n1 = normalised(v->n1_a);
    p->e = normalised(v->n_b);
    p->eR_ia = normalised(v->rRod1_ia);
    p->e2_ia = normalised(cross(p->n1, p->eR_ia));
    p->e3_ia = cross(p->eR_ia, p->e2_ia);
    p->length = sqrt(dot(v->rRod1_ia, v->rRod1_ia));
    Matrix T;
    if (!isfinite(p->e2_ia.x + p->e.x) || !nearest(&v->b.T, &T)) {
        return false;
    }
    const Vector q = v->rRod2_ib, r = turned(&T, minus(v->a.r_0, v->b.r_0));
    const Condition at = condition(p->e, q, r, dot(r, r) + dot(q, q) - p->length * p->length);
    const double square = at.a * at.a + at.b * at.b, k = sqrt(square - at.c * at.c);
    const double guess = (v->phi_offset + v->phi_guess) * (M_PI / 180.0);
    const double positive = fabs(atan2(-at.b * at.c - at.a * k, -at.a * at.c + at.b * k) - guess);
    const double negative = fabs(atan2(-at.b * at.c + at.a * k, -at.a * at.c - at.b * k) - guess);
    p->sign = positive <= negative + 1e-12 * (positive + negative) ? 1.0 : -1.0;
    return k > 0.0;
}

/* Frames of rod 2: the angle from the distance that rod 1 keeps. */
static bool close_loop(Component *self, const Frame *a, const Frame *b) {
    Variables *v = &self->v;
    const Prepared *s = &self->prepared;
    const Vector e = s->e, q = v->rRod2_ib;
    const Seen p = sees(b, a);
    const Condition at = condition(e, q, p.r, dot(p.r, p.r) + dot(q, q) - s->length * s->length);
    const double square = at.a * at.a + at.b * at.b, k_square = square - at.c * at.c;
    if (!(k_square > 1e-12 * square)) {
        return false;
    }
    const double k = s->sign * sqrt(k_square);
    double sine = -at.b * at.c - at.a * k, cosine = -at.a * at.c + at.b * k;
    v->angle = atan2(sine, cosine);
    sine /= square;
    cosine /= square;
    const Condition first = condition(e, q, p.v, 2.0 * dot(p.r, p.v));
    const Condition second = condition(e, q, p.a, 2.0 * (dot(p.v, p.v) + dot(p.r, p.a)));
    const double w = -(first.a * cosine + first.b * sine + first.c) / k;
    const double turning = 2.0 * (first.b * cosine - first.a * sine) * w + at.c * w * w;
    const double acceleration = -(second.a * cosine + second.b * sine + second.c + turning) / k;
    v->phi = v->axis_phi = v->angle - v->phi_offset * (M_PI / 180.0);
    v->axis_w = w;
    v->axis_a = acceleration;
    v->bearing_tau = -v->tau;

    const Matrix T = about(e, sine, cosine);
    turn(b, &T, times(e, w), times(e, acceleration), &v->ib);
    v->im = v->ib;
    const Frame *ib = &v->ib;
    const Vector wxq = cross(ib->w, q);
    v->im.r_0 = plus(ib->r_0, turned_back(&ib->T, q));
    v->im.v_0 = plus(ib->v_0, turned_back(&ib->T, wxq));
    v->im.a_0 = plus(ib->a_0, turned_back(&ib->T, plus(cross(ib->z, q), cross(ib->w, wxq))));
    return true;
}

static bool evaluate(Component *self) {
    Variables *v = &self->v;
    const Prepared *s = &self->prepared;
    Frame a = v->a, b = v->b;
    if (!nearest(&v->a.T, &a.T) || !nearest(&v->b.T, &b.T) || !close_loop(self, &a, &b)) {
        return false;
    }
    /* The universal joint. */
    const Seen rho = sees(&a, &v->im);
    const Vector n1 = s->n1;
    const double length = sqrt(dot(rho.r, rho.r)), per_length = 1.0 / length;
    const Vector eR = times(rho.r, per_length), n2 = cross(n1, eR);
    const double n2_square = dot(n2, n2);
    if (!(n2_square > 1e-10)) {
        return false;
    }
    const double per_n2 = 1.0 / sqrt(n2_square);
    const Vector e2 = times(n2, per_n2), e3 = cross(eR, e2);
    const Vector g = times(rho.v, per_length), n1_g = cross(n1, g);
    const Vector w = {dot(e3, n1_g) * per_n2, -dot(e3, g), dot(e2, g)};
    const Vector g_1 = times(minus(rho.a, times(g, dot(eR, rho.v))), per_length);
    const Vector eR_1 = minus(times(e2, w.z), times(e3, w.y)), e2_1 = minus(times(e3, w.x), times(eR, w.z));
    const Vector e3_1 = minus(times(eR, w.y), times(e2, w.x));
    const double n2_1 = dot(e2, cross(n1, eR_1));
    const Vector z = {(dot(e3_1, n1_g) + dot(e3, cross(n1, g_1)) - w.x * n2_1) * per_n2, -dot(e3_1, g) - dot(e3, g_1),
                      dot(e2_1, g) + dot(e2, g_1)};
    const Matrix from_rod = {s->eR_ia, s->e2_ia, s->e3_ia}, to_axes = {eR, e2, e3};
    const Matrix T = {turned_back(&to_axes, (Vector){s->eR_ia.x, s->e2_ia.x, s->e3_ia.x}),
                      turned_back(&to_axes, (Vector){s->eR_ia.y, s->e2_ia.y, s->e3_ia.y}),
                      turned_back(&to_axes, (Vector){s->eR_ia.z, s->e2_ia.z, s->e3_ia.z})};
    turn(&a, &T, turned_back(&from_rod, w), turned_back(&from_rod, z), &v->ia);

    /* The balance of rod 2 about the axis gives the force in rod 1. */
    const Vector f = turned_back(&T, v->load_ia.f), t = turned_back(&T, v->load_ia.t), q = v->rRod2_ib;
    const Vector across =
        minus(times(e3, dot(e2, t) * per_length), times(e2, dot(n1, t) * per_length / dot(n1, e3)));
    const Matrix to_im = relative_rotation(&v->im.T, &a.T);
    const Vector rest = turned(&to_im, across), along = turned(&to_im, eR);
    const Load given = {plus(v->load_ib.f, v->load_im.f),
                        plus(plus(v->load_ib.t, v->load_im.t), cross(q, v->load_im.f))};
    v->f_rod = (dot(s->e, cross(q, rest)) - v->tau - dot(s->e, given.t)) / dot(s->e, cross(q, along));
    const Vector on_rod1 = minus(across, times(eR, v->f_rod));
    const Vector at_sphere = minus(times(along, v->f_rod), rest);
    const Load total = {plus(given.f, at_sphere), plus(given.t, cross(q, at_sphere))};
    v->load_a.f = times(plus(on_rod1, f), -1.0);
    v->load_a.t = times(plus(t, cross(rho.r, on_rod1)), -1.0);
    v->load_b.f = times(turned(&b.T, turned_back(&v->ib.T, total.f)), -1.0);
    v->load_b.t = times(turned(&b.T, turned_back(&v->ib.T, total.t)), -1.0);
    v->rod1Length = s->length;
    v->eRod1_ia = s->eR_ia;
    v->e2_ia = s->e2_ia;
    return true;
}

static bool advance(Component *self, double h) {
    (void)self, (void)h;
    return true;
}

static void complete(Component *self) { self->prepared.last_angle = self->v.angle; }
