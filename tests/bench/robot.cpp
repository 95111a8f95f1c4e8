/* Times the accelerations of a robot, by its FMU and by Pinocchio's articulated-body algorithm.
 *
 *     robot URDF fixed|floating LIBRARY TOKEN RESOURCES BUDGET STATES [INPUTS]
 *
 * STATES are the names of the FMU's states in their order, INPUTS those of its torques, each with `=` and its value reference, both
 * with commas between them; BUDGET is the time to measure for [s]. Both evaluate the same random states in turn, in blocks
 * that alternate. An evaluation of the FMU is SetReal with the torques, SetTime, SetContinuousStates and GetDerivatives in Model
 * Exchange. Prints the largest difference of accelerations, relative to the largest one of a state, the nanoseconds of
 * processor time that an evaluation takes here and there, medians of all blocks, and the median of their ratios: beside
 * Pinocchio's default, which resolves in the frames of links, and beside the same resolved in the world frame. Fails if the
 * accelerations differ.
 */
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/parsers/urdf.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "fmi.h"

FMI2_FUNCTIONS(DECLARE)

namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double MOST_DIFFERENCE = 1e-10;
constexpr int STATES = 64;
constexpr double BLOCK = 1e-4;

void quiet(void *, const char *, int status, const char *, const char *text, ...) {
    if (status > 1) {
        fprintf(stderr, "%s\n", text);
    }
}

const Callbacks callbacks = {quiet, calloc, free, nullptr, nullptr};

void check(int status) {
    if (status > 1) {
        fail("a call failed");
    }
}

std::vector<std::string> split(const std::string &text) {
    std::vector<std::string> words;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find(',', begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

/* A state of the robot, as Pinocchio and as the FMU have it. */
struct Point {
    VectorXd q, v, tau;
    std::vector<double> states, torques;
};

/* A robot in Pinocchio, with the names that its FMU has for the same. */
class Robot {
  public:
    pinocchio::Model model;
    pinocchio::Data data;

    Robot(const std::string &urdf, bool is_floating) {
        if (is_floating) {
            pinocchio::urdf::buildModel(urdf, pinocchio::JointModelFreeFlyer(), model);
        } else {
            pinocchio::urdf::buildModel(urdf, model);
        }
        model.gravity.linear(Vector3d(0, 0, -9.80665));
        data = pinocchio::Data(model);
    }

    /* The states and torques of the FMU by name, at a state of Pinocchio. */
    std::map<std::string, double> named(const VectorXd &q, const VectorXd &v, const VectorXd &tau) const {
        std::map<std::string, double> values;
        for (size_t i = 1; i < model.joints.size(); i++) {
            const auto &joint = model.joints[i];
            if (joint.nv() == 6) {
                const auto turn = turn_of(joint, q);
                const Vector3d velocity = turn * v.segment<3>(joint.idx_v());
                for (int k = 0; k < 3; k++) {
                    values[element("floating_base.r_rel_a", k)] = q[joint.idx_q() + k];
                    values[element("floating_base.v_rel_a", k)] = velocity[k];
                    values[element("floating_base.w_rel_b", k)] = v[joint.idx_v() + 3 + k];
                }
                for (int k = 0; k < 4; k++) {
                    values[element("floating_base.Q", k)] = q[joint.idx_q() + 3 + k];
                }
                continue;
            }
            const std::string part = part_of(i);
            values[part + ".phi"] = q[joint.idx_q()];
            values[part + ".w"] = v[joint.idx_v()];
            values[part + "_motor.tau"] = tau[joint.idx_v()];
        }
        return values;
    }

    /* Pinocchio's accelerations from the derivatives of the FMU's velocities. */
    VectorXd accelerations(const Point &point, const std::map<std::string, double> &rates) const {
        VectorXd a(model.nv);
        for (size_t i = 1; i < model.joints.size(); i++) {
            const auto &joint = model.joints[i];
            if (joint.nv() == 6) {
                Vector3d linear, angular;
                for (int k = 0; k < 3; k++) {
                    linear[k] = rates.at(element("floating_base.v_rel_a", k));
                    angular[k] = rates.at(element("floating_base.w_rel_b", k));
                }
                const Vector3d velocity = point.v.segment<3>(joint.idx_v()), w = point.v.segment<3>(joint.idx_v() + 3);
                a.segment<3>(joint.idx_v()) = turn_of(joint, point.q).transpose() * linear - w.cross(velocity);
                a.segment<3>(joint.idx_v() + 3) = angular;
            } else {
                a[joint.idx_v()] = rates.at(part_of(i) + ".w");
            }
        }
        return a;
    }

  private:
    static std::string element(const char *name, int k) {
        return std::string(name) + "[" + std::to_string(k + 1) + "]";
    }

    static Eigen::Matrix3d turn_of(const pinocchio::JointModel &joint, const VectorXd &q) {
        const Eigen::Map<const Eigen::Quaterniond> quaternion(q.data() + joint.idx_q() + 3);
        return quaternion.toRotationMatrix();
    }

    /* The name of a joint's part. */
    std::string part_of(size_t joint) const {
        std::string name = model.names[joint];
        std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
        return name;
    }
};

/* A robot as an FMU. */
class Fmu {
  public:
    std::vector<std::string> states, torques;
    std::vector<double> rates;

    Fmu(const char *token, const char *resources, const std::string &names, const std::string &inputs)
        : states(split(names)), rates(states.size()) {
        for (const std::string &input : split(inputs)) {
            const size_t end = input.find('=');
            torques.push_back(input.substr(0, end));
            references.push_back(static_cast<Reference>(std::stoul(input.substr(end + 1))));
        }
        unit = fmi2Instantiate("robot", 0, token, resources, &callbacks, 0, 0);
        if (!unit) {
            fail("the FMU cannot be instantiated");
        }
        check(fmi2SetupExperiment(unit, 0, 0.0, 0.0, 0, 0.0));
        check(fmi2EnterInitializationMode(unit));
        check(fmi2ExitInitializationMode(unit));
        check(fmi2EnterContinuousTimeMode(unit));
    }

    void evaluate(const Point &point) {
        time += 1e-6;
        check(fmi2SetReal(unit, references.data(), references.size(), point.torques.data()));
        check(fmi2SetTime(unit, time));
        check(fmi2SetContinuousStates(unit, point.states.data(), point.states.size()));
        check(fmi2GetDerivatives(unit, rates.data(), rates.size()));
    }

    std::map<std::string, double> named_rates() const {
        std::map<std::string, double> named;
        for (size_t i = 0; i < states.size(); i++) {
            named[states[i]] = rates[i];
        }
        return named;
    }

  private:
    Unit unit;
    std::vector<Reference> references;
    double time = 0.0;
};

Point random_point(const Robot &robot, const Fmu &fmu, std::mt19937_64 &random) {
    const auto &model = robot.model;
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    Point point{pinocchio::neutral(model), VectorXd(model.nv), VectorXd::Zero(model.nv), {}, {}};
    for (size_t i = 1; i < model.joints.size(); i++) {
        const auto &joint = model.joints[i];
        if (joint.nv() == 6) {
            for (int k = 0; k < 7; k++) {
                point.q[joint.idx_q() + k] = uniform(random);
            }
            point.q.segment<4>(joint.idx_q() + 3).normalize();
        } else {
            // Between the limits, where stops have no load.
            double lower = model.lowerPositionLimit[joint.idx_q()], upper = model.upperPositionLimit[joint.idx_q()];
            if (!(lower < upper)) {
                lower = -M_PI, upper = M_PI;
            }
            point.q[joint.idx_q()] = 0.5 * (lower + upper + (upper - lower) * uniform(random));
            point.tau[joint.idx_v()] = 10.0 * uniform(random);
        }
        for (int k = 0; k < joint.nv(); k++) {
            point.v[joint.idx_v() + k] = uniform(random);
        }
    }
    const auto values = robot.named(point.q, point.v, point.tau);
    for (const std::string &name : fmu.states) {
        point.states.push_back(values.at(name));
    }
    for (const std::string &name : fmu.torques) {
        point.torques.push_back(values.at(name));
    }
    return point;
}

double median(std::vector<double> numbers) {
    std::nth_element(numbers.begin(), numbers.begin() + static_cast<long>(numbers.size() / 2), numbers.end());
    return numbers[numbers.size() / 2];
}

/* Nanoseconds of an evaluation, in a block of many. */
template <typename Evaluate> double time_of(const std::vector<Point> &points, long rounds, Evaluate evaluate) {
    const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (long round = 0; round < rounds; round++) {
        for (const Point &point : points) {
            evaluate(point);
        }
    }
    return 1e9 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / static_cast<double>(rounds * static_cast<long>(points.size()));
}

} // namespace

int main(int count, char **arguments) {
    if (count != 8 && count != 9) {
        fail("robot URDF fixed|floating LIBRARY TOKEN RESOURCES BUDGET STATES [INPUTS]");
    }
    Robot robot(arguments[1], std::string(arguments[2]) == "floating");
    void *library = loaded(arguments[3]);
    FMI2_FUNCTIONS(RESOLVE)
    Fmu fmu(arguments[4], arguments[5], arguments[7], count == 9 ? arguments[8] : "");
    const auto ours = [&](const Point &point) { fmu.evaluate(point); };
    const auto theirs = [&](const Point &point) {
        pinocchio::aba(robot.model, robot.data, point.q, point.v, point.tau, pinocchio::Convention::LOCAL);
    };
    const auto theirs_in_world = [&](const Point &point) {
        pinocchio::aba(robot.model, robot.data, point.q, point.v, point.tau, pinocchio::Convention::WORLD);
    };

    std::mt19937_64 random(52);
    std::vector<Point> points;
    double difference = 0.0;
    for (int i = 0; i < STATES; i++) {
        points.push_back(random_point(robot, fmu, random));
        ours(points.back());
        theirs(points.back());
        const VectorXd &ddq = robot.data.ddq;
        const VectorXd a = robot.accelerations(points.back(), fmu.named_rates());
        difference = std::max(difference, (a - ddq).cwiseAbs().maxCoeff() / ddq.cwiseAbs().maxCoeff());
    }
    printf("difference %.17g\n", difference);
    if (!(difference <= MOST_DIFFERENCE)) {
        fail("the accelerations of the FMU differ from those of Pinocchio");
    }

    const long rounds = std::max(1L, std::lround(BLOCK / (1e-9 * time_of(points, 1, theirs) * STATES)));
    std::vector<double> times[3], ratios[2];
    const double end = seconds(CLOCK_MONOTONIC) + atof(arguments[6]);
    do {
        times[0].push_back(time_of(points, rounds, ours));
        times[1].push_back(time_of(points, rounds, theirs));
        times[2].push_back(time_of(points, rounds, theirs_in_world));
        ratios[0].push_back(times[0].back() / times[1].back());
        ratios[1].push_back(times[0].back() / times[2].back());
    } while (seconds(CLOCK_MONOTONIC) < end);
    printf("ours %.17g\nlocal %.17g\nworld %.17g\n", median(times[0]), median(times[1]), median(times[2]));
    printf("ratio_local %.17g\nratio_world %.17g\n", median(ratios[0]), median(ratios[1]));
    return 0;
}
