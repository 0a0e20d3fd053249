package dev.ratelimit.autoconfigure;

import java.time.Duration;

import dev.ratelimit.doctor.Doctor;
import dev.ratelimit.doctor.DoctorRounds;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Lets the doctor look while the application runs: rules are in force before, and nobody
 * listens after.
 */
final class DoctorLifecycle implements SmartLifecycle {

	private final Doctor doctor;

	private final Duration interval;

	private volatile @Nullable DoctorRounds rounds;

	DoctorLifecycle(Doctor doctor, Duration interval) {
		this.doctor = doctor;
		this.interval = interval;
	}

	@Override
	public void start() {
		this.rounds = new DoctorRounds(this.doctor, this.interval);
	}

	@Override
	public void stop() {
		DoctorRounds running = this.rounds;
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
