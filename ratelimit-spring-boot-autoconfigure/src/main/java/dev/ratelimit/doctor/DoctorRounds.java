package dev.ratelimit.doctor;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Lets the doctor look again and again, on one thread of its own where nobody waits.
 *
 * @since 0.1.0
 */
public final class DoctorRounds implements AutoCloseable {

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "ratelimit-doctor");
		thread.setDaemon(true);
		return thread;
	});

	/**
	 * Begin, with a first look at once.
	 * @param doctor the doctor
	 * @param interval how often to look
	 */
	public DoctorRounds(Doctor doctor, Duration interval) {
		doctor.examine();
		this.timer.scheduleWithFixedDelay(doctor::examine, interval.toMillis(), interval.toMillis(),
				TimeUnit.MILLISECONDS);
	}

	@Override
	public void close() {
		this.timer.shutdownNow();
	}

}
