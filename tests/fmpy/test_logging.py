"""Messages: categories, text that looks like a format, missing callbacks, wrong tokens."""

import pytest
from plant import Plant, Refused, Status


def test_only_chosen_categories_are_logged(plants):
    plant = plants("pendulum", logging=False)
    plant.start()
    plant.step(0.1)
    assert plant.messages == []
    plant.set_logging(True, "logSolverStatistics")
    plant.set("F", 100.0)  # a large jump, which logEvents would report
    plant.step(0.1)
    assert {m.category for m in plant.messages} == {"logSolverStatistics"}
    assert plant.messages[0].status == Status.OK and plant.messages[0].text.startswith("t = 0.2")
    plant.messages.clear()
    plant.set_logging(True, "logEvents", "logStatusWarning")
    plant.set("F", -100.0)
    plant.step(0.1)
    assert {m.category for m in plant.messages} == {"logEvents"}
    plant.messages.clear()
    plant.set_logging(True)
    plant.set("F", 100.0)
    plant.step(0.1)
    assert {m.category for m in plant.messages} == {"logEvents", "logSolverStatistics"}
    plant.messages.clear()
    plant.set_logging(False)
    plant.set("F", -100.0)
    plant.step(0.1)
    assert plant.messages == []


def test_every_category_is_declared_and_accepted(any_fmu):
    plant = Plant(any_fmu)
    declared = [c.name for c in any_fmu.description.logCategories]
    assert {"logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal", "logEvents",
            "logSingularLinearSystems", "logSolverStatistics"} <= set(declared)  # fmt: skip
    plant.set_logging(True, *declared)
    plant.start().step(1e-3)
    assert {m.category for m in plant.messages} <= set(declared)
    plant.free()


def test_unknown_category_is_refused_and_its_name_is_not_a_format(plants):
    """In FMI 2.0 a '#' in a message is doubled: a single one would start a reference to a variable."""
    plant = plants("pendulum")
    with plant.refuses(Status.ERROR):
        plant.set_logging(True, "100%s %n #r1# %d")
    expected = "100%s %n ##r1## %d" if plant.version == 2 else "100%s %n #r1# %d"
    assert expected in plant.messages[-1].text
    plant.start().step(0.1)


def test_messages_end_without_a_newline(plants):
    plant = plants("pendulum").start()
    with plant.refuses(Status.ERROR):
        plant.step(-1)
    plant.step(0.1)
    assert plant.messages and not any(m.text.endswith("\n") for m in plant.messages)


def test_instance_without_callbacks_works_and_refuses_in_silence(plants):
    plant = plants("pendulum", logger=False).start()
    plant.step(0.1)
    for H in [-1.0, float("nan")]:
        with pytest.raises(Refused) as refused:
            plant.step(H)
        assert refused.value.status == Status.ERROR
    assert plant.messages == []
    plant.step(0.1)


@pytest.mark.parametrize("version", [2], ids=["fmi2"])
def test_instance_with_no_callback_structure_at_all(load, version):
    fmu = load("pendulum", version)
    slave = fmu.slave
    component = slave.fmi2Instantiate(b"p", 1, fmu.token.encode(), None, None, 0, 1)
    assert component
    slave.fmi2SetupExperiment(component, 0, 0.0, 0.0, 0, 0.0)
    slave.fmi2EnterInitializationMode(component)
    slave.fmi2ExitInitializationMode(component)
    slave.fmi2DoStep(component, 0.0, 0.1, 0)
    slave.fmi2FreeInstance(component)


@pytest.mark.parametrize("token", ["", "0123456789abcdef0123456789abcdef", "%s%n"])
def test_wrong_token_gives_no_instance_and_a_reason(plants, token):
    plant = plants("pendulum", token=token)
    assert not plant.alive
    assert len(plant.messages) == 1
    message = plant.messages[0]
    assert message.status == Status.ERROR and token in message.text and plant.fmu.token in message.text
    assert "export" in message.text


def test_instance_needs_a_name(plants):
    plant = plants("pendulum", name="")
    assert not plant.alive and "name" in plant.messages[0].text
