/* Vectors and rotation matrices; an array has a matrix row by row. */
typedef struct {
    double x, y, z;
} Vector;

typedef struct {
    Vector x, y, z;
} Matrix;

static inline Vector plus(Vector a, Vector b) { return (Vector){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline Vector minus(Vector a, Vector b) { return (Vector){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline Vector times(Vector a, double c) { return (Vector){a.x * c, a.y * c, a.z * c}; }
static inline Vector by_component(Vector a, Vector b) { return (Vector){a.x * b.x, a.y * b.y, a.z * b.z}; }
static inline double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline Vector cross(Vector a, Vector b) {
    return (Vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline Vector normalised(Vector a) { return times(a, 1.0 / sqrt(dot(a, a))); }

/* T a */
static inline Vector turned(const Matrix *T, Vector a) { return (Vector){dot(T->x, a), dot(T->y, a), dot(T->z, a)}; }

/* T' a */
static inline Vector turned_back(const Matrix *T, Vector a) {
    return plus(plus(times(T->x, a.x), times(T->y, a.y)), times(T->z, a.z));
}

/* A B */
static inline Matrix product(const Matrix *A, const Matrix *B) {
    return (Matrix){turned_back(B, A->x), turned_back(B, A->y), turned_back(B, A->z)};
}

/* A B' */
static inline Matrix relative_rotation(const Matrix *A, const Matrix *B) {
    return (Matrix){turned(B, A->x), turned(B, A->y), turned(B, A->z)};
}

/* T' T - 1, which is symmetric. */
static inline Matrix orthogonality(const Matrix *T) {
    const Vector x = {T->x.x, T->y.x, T->z.x}, y = {T->x.y, T->y.y, T->z.y}, z = {T->x.z, T->y.z, T->z.z};
    const double xy = dot(x, y), xz = dot(x, z), yz = dot(y, z);
    return (Matrix){{dot(x, x) - 1.0, xy, xz}, {xy, dot(y, y) - 1.0, yz}, {xz, yz, dot(z, z) - 1.0}};
}

static inline bool is_below(const Matrix *E, double limit) {
    return (fabs(E->x.x) <= limit) & (fabs(E->x.y) <= limit) & (fabs(E->x.z) <= limit) & (fabs(E->y.y) <= limit) &
           (fabs(E->y.z) <= limit) & (fabs(E->z.z) <= limit);
}

/* T - T E / 2 */
static inline Matrix corrected(const Matrix *T, const Matrix *E) {
    const Matrix change = product(T, E);
    return (Matrix){minus(T->x, times(change.x, 0.5)), minus(T->y, times(change.y, 0.5)),
                    minus(T->z, times(change.z, 0.5))};
}

/* The nearest rotation matrix; false where none is near. */
static inline bool nearest(const Matrix *T, Matrix *rotation) {
    Matrix error = orthogonality(T);
    if (!is_below(&error, 1e-3) || dot(cross(T->x, T->y), T->z) < 0.0) {
        return false;
    }
    *rotation = *T;
    if (!is_below(&error, 1e-8)) {
        for (int i = 0; i < 2; i++) {
            *rotation = corrected(rotation, &error);
            error = orthogonality(rotation);
        }
    }
    *rotation = corrected(rotation, &error);
    return true;
}
