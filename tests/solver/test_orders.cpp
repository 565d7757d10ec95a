// Mechanisms against published and recomputed end values; orders of all methods.

#include <numbers>

#include "models/andrews/andrews.h"
#include "models/car_axis/car_axis.h"
#include "models/pendulum/pendulum.h"
#include "models/rolling_disk/rolling_disk.h"
#include "models/slider_crank/slider_crank.h"
#include "tests/solver/runs.h"

namespace mechfmu::tests {
namespace {

Options with(Method method, const Coefficients& coefficients) {
  Options o = converged(0.7);
  o.method = method;
  o.coefficients = coefficients;
  return o;
}

template <class ModelT>
State fixed_run(const Options& o, double end, int n, const ModelT& model = {}) {
  ModelRun<ModelT> run(o, model);
  for (int i = 0; i < n; ++i) run.step(end / n);
  return run.state;
}

template <class ModelT>
State alternating_run(const Options& o, double end, int n) {
  ModelRun<ModelT> run(o);
  run.alternate(n, end / n);
  return run.state;
}

// --- Andrews' mechanism (t = 0.03; recomputed values, stable to 1e-14) ---

const Vector andrews_y =
    vector({15.810771195153709, -15.756371058411841, 0.040822240119646, -0.53473011634208,
            0.52440996587995, 0.53473011634208, 1.0480807410419});
const Vector andrews_z =
    vector({1139.9203022591063, -1424.3792951775396, 11.032911910620, 19.293374105035,
            0.5735699148296, -19.293374105035, 0.3231791492492});
const Vector andrews_lambda = vector({199.175348104538, -29.755309974972, 23.066543611622,
                                      31.452725275771, 22.642494786394, 11.617392352611});

TEST(Andrews, StartsWithThePublishedAccelerationsAndMultipliers) {
  ModelRun<models::Andrews> run(converged(0.7));
  const Point& p = run.state.point;
  EXPECT_NEAR(p.a[0], 14222.4439199541138705911625887, 1e-7);
  EXPECT_NEAR(p.a[1], -10666.8329399655854029433719415, 1e-7);
  EXPECT_NEAR(p.mu[0], 98.5668703962410896, 1e-9);
  EXPECT_NEAR(p.mu[1], -6.12268834425566266, 1e-9);
  for (int i = 2; i < 6; ++i) EXPECT_NEAR(p.mu[i], 0, 1e-9);
}

TEST(Andrews, Soi2ReproducesTheFixedStepErrors) {
  const Options o = converged(0.7);
  const auto error = [&](int n) {
    return (fixed_run<models::Andrews>(o, 0.03, n).point.y - andrews_y).norm();
  };
  EXPECT_NEAR(error(100) / 1.16e-01, 1, 0.005);
  EXPECT_NEAR(error(400) / 6.17e-03, 1, 0.005);
  const State s = fixed_run<models::Andrews>(o, 0.03, 1600);
  EXPECT_NEAR((s.point.y - andrews_y).norm() / 3.69e-04, 1, 0.005);
  EXPECT_NEAR((s.point.lambda() - andrews_lambda).norm() / 5.66e-02, 1, 0.005);
}

TEST(Andrews, ArnoldBrulsReproducesItsFixedStepError) {
  const State s = fixed_run<models::Andrews>(
      with(Method::arnold_bruls, Coefficients::from_rho(0.7)), 0.03, 1600);
  EXPECT_NEAR((s.point.y - andrews_y).norm() / 4.27e-04, 1, 0.005);
}

TEST(Andrews, PrintedHhtIsFirstOrderBecauseMassDependsOnPosition) {
  const Options o = with(Method::hht_i3_printed, Coefficients::hht(-0.3));
  const double coarse = (fixed_run<models::Andrews>(o, 0.03, 800).point.y - andrews_y).norm();
  const double fine = (fixed_run<models::Andrews>(o, 0.03, 1600).point.y - andrews_y).norm();
  EXPECT_NEAR(fine / 2.63e-02, 1, 0.005);
  EXPECT_NEAR(order(coarse, fine), 1, 0.1);
}

TEST(Andrews, HhtWithTheMassOfTheRightTimeIsSecondOrder) {
  const Options o = with(Method::hht_i3, Coefficients::hht(-0.3));
  const State coarse = fixed_run<models::Andrews>(o, 0.03, 800);
  const State fine = fixed_run<models::Andrews>(o, 0.03, 1600);
  EXPECT_NEAR(order((coarse.point.y - andrews_y).norm(), (fine.point.y - andrews_y).norm()), 2,
              0.15);
  EXPECT_NEAR(order((coarse.point.z - andrews_z).norm(), (fine.point.z - andrews_z).norm()), 2,
              0.15);
  EXPECT_NEAR(order((coarse.point.lambda() - andrews_lambda).norm(),
                    (fine.point.lambda() - andrews_lambda).norm()),
              2, 0.15);
}

TEST(Andrews, AlternatingStepsKeepSecondOrderOnlyWithRescaling) {
  Options o = converged(0.2);
  // Errors of y, z, λ with N = 800 and 1600 pairs of steps.
  const auto errors = [&](int n) {
    const State s = alternating_run<models::Andrews>(o, 0.03, n);
    return vector({(s.point.y - andrews_y).norm(), (s.point.z - andrews_z).norm(),
                   (s.point.lambda() - andrews_lambda).norm()});
  };
  const Vector fine = errors(1600);
  EXPECT_NEAR(fine[0] / 3.15e-04, 1, 0.02);
  EXPECT_NEAR(fine[1] / 1.65e-01, 1, 0.02);
  EXPECT_NEAR(fine[2] / 7.55e-02, 1, 0.02);
  EXPECT_NEAR(errors(800)[0] / 1.42e-03, 1, 0.02);

  o.experiments.rescale_a = o.experiments.rescale_Ma = false;
  const Vector without = errors(1600);
  EXPECT_NEAR(without[0] / 2.34e-02, 1, 0.02);
  EXPECT_NEAR(without[1] / 1.11e+01, 1, 0.02);
  EXPECT_NEAR(without[2] / 1.25e+00, 1, 0.02);
  EXPECT_NEAR(order(errors(800)[0], without[0]), 1, 0.1);
}

TEST(Andrews, RescalingServesPositionsInTheIndexThreeMethodsToo) {
  for (const Method method : {Method::hht_i3, Method::arnold_bruls}) {
    SCOPED_TRACE(name(method));
    const Coefficients c =
        method == Method::hht_i3 ? Coefficients::hht(-0.3) : Coefficients::from_rho(0.2);
    Options o = with(method, c);
    const auto error = [&](int n) {
      return (alternating_run<models::Andrews>(o, 0.03, n).point.y - andrews_y).norm();
    };
    const double coarse = error(3200);
    const double fine = error(6400);
    EXPECT_GT(order(coarse, fine), 1.6);
    o.experiments.rescale_a = o.experiments.rescale_Ma = false;
    EXPECT_NEAR(order(error(3200), error(6400)), 1, 0.05);
    EXPECT_GT(error(6400), 50 * fine);
  }
}

TEST(Andrews, PassesThroughThePublishedIntermediateValues) {
  Options o;
  o.tolerance = 1e-10;
  ModelRun<models::Andrews> run(o);
  run.advance(0.01);
  EXPECT_NEAR(run.y()[0], 2.1601131315315265, 1e-5);
  EXPECT_NEAR(run.state.point.mu[0], 57.0252904375026, 2e-2);
  run.advance(0.02);
  EXPECT_NEAR(run.y()[0], 8.184905889661679, 5e-5);
  EXPECT_NEAR(run.state.point.mu[0], 48.4932569817495, 2e-2);
}

// --- harmonic oscillator: the derived drift of a method without rescaling ---

struct Oscillator : Model<1> {
  template <class T>
  Mat<T, 1> M(T /*t*/, const Vec<T, 1>& /*y*/) const {
    return Mat<T, 1>::Identity();
  }
  template <class T>
  Vec<T, 1> f(T /*t*/, const Vec<T, 1>& y, const Vec<T, 1>& /*z*/) const {
    return -y;
  }
  void variables(Variables& v) { v.start({.y = {1}}); }
};

TEST(Oscillator, AlternatingStepsKeepSecondOrderOnlyWithRescaling) {
  Options o = converged(0.2);
  const double exact = std::cos(10.0);
  const auto error = [&](int n) {
    return std::abs(alternating_run<Oscillator>(o, 10, n).point.y[0] - exact);
  };
  EXPECT_NEAR(order(error(800), error(1600)), 2, 0.05);
  o.experiments.rescale_a = o.experiments.rescale_Ma = false;
  EXPECT_NEAR(order(error(1600), error(3200)), 1, 0.1);
}

TEST(Oscillator, WithoutRescalingTheAmplitudeDriftsAsPredicted) {
  // −(κH/2)(T − sin(2T)/2) with κ = 0.01235 (ρ∞ = 0.2), T = 10, H = T/12800.
  Options o = converged(0.2);
  o.experiments.rescale_a = o.experiments.rescale_Ma = false;
  const State s = alternating_run<Oscillator>(o, 10, 12800);
  const double amplitude = std::hypot(s.point.y[0], s.point.z[0]);
  EXPECT_NEAR((amplitude - 1) / -4.603e-5, 1, 0.01);
}

TEST(Oscillator, TrapezoidalRuleConservesEnergy) {
  Options o = converged(1);
  o.coefficients = Coefficients::trapezoidal();
  const State s = fixed_run<Oscillator>(o, 100, 1000);
  EXPECT_NEAR(std::hypot(s.point.y[0], s.point.z[0]), 1, 1e-11);
}

// --- rolling disk ---

const Vector disk_y = vector({1.024486015148598, .02015925016567087, 4.443259949783238,
                              .1004127992249806, 1.925340266680433});
const Vector disk_z = vector({.08154079580884298, .00821536925309121, -3.494811110113396,
                              .05070869147578075, .08195360683401348});
const Vector disk_psi = vector({2.744856895634703, -25.98010106905216});

TEST(RollingDisk, ApproachesSecondOrderFromAbove) {
  Options o = converged(0.2);
  o.tolerance = 1e-12;
  const State coarse = fixed_run<models::RollingDisk>(o, 10, 6400);
  const State fine = fixed_run<models::RollingDisk>(o, 10, 25600);
  const auto observed = [](double a, double b) { return order(a, b, 4); };
  EXPECT_NEAR(observed((coarse.point.y - disk_y).norm(), (fine.point.y - disk_y).norm()), 2.2,
              0.15);
  EXPECT_NEAR(observed((coarse.point.z - disk_z).norm(), (fine.point.z - disk_z).norm()), 2.3, 0.2);
  EXPECT_GT(observed((coarse.point.psi() - disk_psi).norm(), (fine.point.psi() - disk_psi).norm()),
            1.95);
  EXPECT_LT((fine.point.y - disk_y).norm(), 1e-5);
}

TEST(RollingDisk, CorrectedForceConservesEnergyAndThePrintedOneDoesNot) {
  const auto energy_at_ten = [](double missing_term) {
    models::RollingDisk model;
    model.missing_term = missing_term;
    Options o = converged(0.9);
    o.tolerance = 1e-12;
    return model.energy(fixed_run<models::RollingDisk>(o, 10, 40000, model).point);
  };
  EXPECT_NEAR(energy_at_ten(1), 19.12796471538914, 2e-6);
  EXPECT_NEAR(energy_at_ten(0), 19.132814, 2e-5);
}

TEST(RollingDisk, RollsInASteadyCircleWithThePhysicalSign) {
  struct Circle : models::RollingDisk {
    void variables(Variables& v) {
      m = 2, r = 1, I1 = 0.5, I2 = 1, g0 = 9.81, sigma = 1;
      models::RollingDisk::variables(v);
      const double spin = -1.71810630662463;
      v.start({.y = {0, 0, 0.3, 0, 0}, .z = {-spin, 0, 0, 1.5, spin}});
    }
  };
  Options o;
  o.tolerance = 1e-10;
  ModelRun<Circle> run(o);
  const double turn = 2 * std::numbers::pi / 1.5;
  const Vector start = run.y();
  double left = 0;
  double right = 0;
  for (int i = 1; i <= 40; ++i) {
    run.advance(turn * i / 40);
    EXPECT_NEAR(run.y()[2], 0.3, 1e-5);
    left = std::min(left, run.y()[1]);
    right = std::max(right, run.y()[1]);
  }
  EXPECT_NEAR((right - left) / 2, 1.14540420442, 1e-4);
  EXPECT_NEAR(run.y()[0], start[0], 1e-4);
  EXPECT_NEAR(run.y()[1], start[1], 1e-4);
}

// --- slider-crank ---

TEST(SliderCrank, AllMethodsAreSecondOrderAndConvergeToTheReference) {
  for (const Method method : {Method::soi2, Method::hht_i3, Method::arnold_bruls}) {
    SCOPED_TRACE(name(method));
    const Coefficients c =
        method == Method::hht_i3 ? Coefficients::hht(-0.3) : Coefficients::from_rho(0.7);
    const Vector reference = vector({7.41462498553876, .600443137284004});
    const auto error = [&](int n) {
      const State s = fixed_run<models::SliderCrank>(with(method, c), 1, n);
      return (vector({s.point.y[2], s.point.y[7]}) - reference).norm();
    };
    const double coarse = error(2000);
    const double fine = error(4000);
    EXPECT_NEAR(order(coarse, fine), 2, 0.1);
    EXPECT_LT(fine, 2e-3);
  }
}

TEST(SliderCrank, TightToleranceMeetsTheReferenceAlongTheWay) {
  Options o;
  o.tolerance = 1e-10;
  ModelRun<models::SliderCrank> run(o);
  const double table[][3] = {{.25, 1.95564804605892, .423194549957391},
                             {.5, 4.13483839714308, .385790662820963},
                             {.75, 6.59048809598935, .960763308524022},
                             {1, 7.41462498553876, .600443137284004}};
  for (const auto& row : table) {
    run.advance(row[0]);
    EXPECT_NEAR(run.y()[2], row[1], 2e-5);
    EXPECT_NEAR(run.y()[7], row[2], 2e-6);
  }
}

TEST(SliderCrank, TorqueWorkBecomesEnergy) {
  Options o;
  o.tolerance = 1e-9;
  ModelRun<models::SliderCrank> run(o);
  run.advance(1);
  const double work = run.y()[2] - std::numbers::pi / 2;  // constant torque of 1 N·m
  EXPECT_NEAR(run.system.model().energy(run.state.point), work, 1e-4 * work);
}

TEST(SliderCrank, OutputAccelerationsAreThoseOfTheEndOfTheStep) {
  const auto error = [](int n) {
    ModelRun<models::SliderCrank> run(converged(0.7));
    for (int i = 0; i < n; ++i) run.step(0.2 / n);
    Point p;
    EXPECT_TRUE(run.solver.output(run.state, p).ok());
    return p.a;
  };
  const Vector reference = error(12800);
  EXPECT_NEAR(order((error(400) - reference).norm(), (error(800) - reference).norm()), 2, 0.1);
}

// --- pendulum and car axis ---

TEST(Pendulum, MeetsTheBenchmarkValues) {
  Options o;
  o.tolerance = 1e-10;
  ModelRun<models::Pendulum> run(o);
  const double table[][3] = {{1, .9862917511318753, -.1650108531255411},
                             {5, -.9423054350437574, -.3347543384140003},
                             {10, -.2750874625761184, -.9614192050991246}};
  for (const auto& row : table) {
    run.advance(row[0]);
    EXPECT_NEAR(run.y()[0], row[1], 2e-5);
    EXPECT_NEAR(run.y()[1], row[2], 2e-5);
  }
}

TEST(Pendulum, RodForceFollowsFromTheEnergy) {
  // Released from horizontal: tension = 3 m g·(depth below the pivot)/l.
  Options o;
  o.tolerance = 1e-9;
  ModelRun<models::Pendulum> run(o);
  for (const double t : {0.3, 0.9, 2.7}) {
    run.advance(t);
    EXPECT_NEAR(run.state.point.mu[0], -3 * 9.81 * run.y()[1], 1e-3);
  }
}

TEST(CarAxis, MeetsTheTestSetValues) {
  const Vector y =
      vector({.049345578427524, .496989460230008, 1.041742524885426, .373911027265366});
  const Vector z =
      vector({-.077058368403592, .007446866592068, .017556815753542, .770341043779601});
  const Vector lambda = vector({-.00473688659085332, -.00110468033125956});
  Options o = converged(0.8);
  const State coarse = fixed_run<models::CarAxis>(o, 3, 12000);
  const State fine = fixed_run<models::CarAxis>(o, 3, 24000);
  EXPECT_LT((fine.point.y - y).norm(), 1e-4);
  EXPECT_LT((fine.point.lambda() - lambda).norm(), 1e-5);
  EXPECT_NEAR(order((coarse.point.y - y).norm(), (fine.point.y - y).norm()), 2, 0.1);
  EXPECT_NEAR(order((coarse.point.z - z).norm(), (fine.point.z - z).norm()), 2, 0.1);
  EXPECT_NEAR(order((coarse.point.lambda() - lambda).norm(), (fine.point.lambda() - lambda).norm()),
              2, 0.1);
}

// --- runs that begin in motion ---

TEST(MovingStart, Soi2WithSlopeIsSecondOrderFromTheFirstStepAndIndexThreeIsNot) {
  // Andrews' state at t = 0.01; largest error of λ over the first 20 steps.
  Options tight = converged(0.7);
  tight.tolerance = 1e-12;
  ModelRun<models::Andrews> before(tight);
  before.advance(0.01);
  struct Moving : models::Andrews {
    std::vector<double> y, z;
    void variables(Variables& v) {
      models::Andrews::variables(v);
      v.coordinate(1, "Theta").hold_position = false;
      v.coordinate(1, "Theta").hold_velocity = false;
      v.start({.y = y, .z = z});
    }
  } moving;
  moving.y.assign(before.y().begin(), before.y().end());
  moving.z.assign(before.z().begin(), before.z().end());

  const auto largest = [&](Method method, StartTreatment start, double h) {
    Options o = with(method, Coefficients::from_rho(0.7));
    o.experiments.start = start;
    Options fine = converged(0.7);
    ModelRun<Moving> run(o, moving);
    ModelRun<Moving> reference(fine, moving);
    double most = 0;
    for (int i = 0; i < 20; ++i) {
      run.step(h);
      for (int j = 0; j < 20; ++j) reference.step(h / 20);
      most = std::max(most, (run.state.point.lambda() - reference.state.point.lambda()).norm());
    }
    return most;
  };
  const double soi2 = largest(Method::soi2, StartTreatment::fresh, 1e-5);
  EXPECT_NEAR(soi2 / 1.85e-3, 1, 0.05);
  EXPECT_NEAR(order(soi2, largest(Method::soi2, StartTreatment::fresh, 5e-6)), 2, 0.1);
  EXPECT_NEAR(largest(Method::soi2, StartTreatment::plain, 1e-5) / 3.09e-2, 1, 0.05);
  const double index3 = largest(Method::arnold_bruls, StartTreatment::plain, 1e-5);
  EXPECT_NEAR(index3 / .564, 1, 0.05);
  EXPECT_NEAR(order(index3, largest(Method::arnold_bruls, StartTreatment::plain, 5e-6)), 1, 0.1);
}

}  // namespace
}  // namespace mechfmu::tests
