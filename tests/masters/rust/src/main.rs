// run_fmu <fmu> <2|3> <steps> <step size> <reference=value,...> <reference,...>
//
// Runs a co-simulation FMU with real inputs and parameters set before initialization, and prints outputs after each step.

use std::error::Error;

use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation as Fmi2CoSimulation, Common as Fmi2Common};
use fmi::fmi3::import::Fmi3Import;
use fmi::fmi3::{CoSimulation as Fmi3CoSimulation, Common as Fmi3Common, Fmi3Model, GetSet};
use fmi::import::from_path;

struct Experiment {
    steps: u32,
    step: f64,
    set: Vec<(u32, f64)>,
    outputs: Vec<u32>,
}

impl Experiment {
    fn stop(&self) -> f64 {
        f64::from(self.steps) * self.step
    }

    fn start_of(&self, i: u32) -> f64 {
        f64::from(i) * self.step
    }
}

fn print(values: &[f64]) {
    let words: Vec<String> = values.iter().map(|value| format!("{value:e}")).collect();
    println!("{}", words.join(" "));
}

fn run_fmi2(file: &str, experiment: &Experiment) -> Result<(), Box<dyn Error>> {
    let import: Fmi2Import = from_path(file)?;
    let mut fmu = import.instantiate_cs("rust", false, false)?;
    for (reference, value) in &experiment.set {
        fmu.set_real(&[*reference], &[*value])?;
    }
    fmu.setup_experiment(None, 0.0, Some(experiment.stop()))?;
    fmu.enter_initialization_mode()?;
    fmu.exit_initialization_mode()?;
    let mut values = vec![0.0; experiment.outputs.len()];
    for i in 0..experiment.steps {
        fmu.do_step(experiment.start_of(i), experiment.step, true)?;
        fmu.get_real(&experiment.outputs, &mut values)?;
        print(&values);
    }
    fmu.terminate()?;
    Ok(())
}

fn run_fmi3(file: &str, experiment: &Experiment) -> Result<(), Box<dyn Error>> {
    let import: Fmi3Import = from_path(file)?;
    let mut fmu = import.instantiate_cs("rust", false, false, false, false, &[])?;
    for (reference, value) in &experiment.set {
        fmu.set_float64(&[*reference], &[*value])?;
    }
    fmu.enter_initialization_mode(None, 0.0, Some(experiment.stop()))?;
    fmu.exit_initialization_mode()?;
    let mut values = vec![0.0; experiment.outputs.len()];
    let (mut event, mut terminate, mut early, mut reached) = (false, false, false, 0.0);
    for i in 0..experiment.steps {
        fmu.do_step(
            experiment.start_of(i),
            experiment.step,
            true,
            &mut event,
            &mut terminate,
            &mut early,
            &mut reached,
        )?;
        fmu.get_float64(&experiment.outputs, &mut values)?;
        print(&values);
    }
    fmu.terminate()?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, version, steps, step, set, outputs] = words.as_slice() else {
        return Err("run_fmu <fmu> <2|3> <steps> <step size> <reference=value,...> <reference,...>".into());
    };
    let mut given = Vec::new();
    for word in set.split(',').filter(|word| !word.is_empty()) {
        let (reference, value) = word.split_once('=').ok_or("a value needs '='")?;
        given.push((reference.parse()?, value.parse()?));
    }
    let outputs: Result<Vec<u32>, _> = outputs.split(',').map(str::parse).collect();
    let experiment = Experiment { steps: steps.parse()?, step: step.parse()?, set: given, outputs: outputs? };
    if version == "2" {
        run_fmi2(file, &experiment)
    } else {
        run_fmi3(file, &experiment)
    }
}
