package dev.ratelimit.doctor;

import java.time.Duration;

import dev.ratelimit.store.Upkeep;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Runs the doctor while the application runs. It starts after the rules are active, and
 * stops before the listeners are destroyed. The first run completes before the
 * application has started; later runs are in the background.
 */
final class DoctorLifecycle implements SmartLifecycle {

	private final Doctor doctor;

	private final Duration interval;

	private final Upkeep upkeep;

	private volatile Upkeep.@Nullable Task rounds;

	DoctorLifecycle(Doctor doctor, Duration interval, Upkeep upkeep) {
		this.doctor = doctor;
		this.interval = interval;
		this.upkeep = upkeep;
	}

	@Override
	public void start() {
		this.doctor.examine();
		this.rounds = this.upkeep.start(this.interval, this.interval, "A run of the doctor failed",
				this.doctor::examine);
	}

	@Override
	public void stop() {
		Upkeep.Task running = this.rounds;
		if (running != null) {
			running.close();
			this.rounds = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.rounds != null;
	}

}
