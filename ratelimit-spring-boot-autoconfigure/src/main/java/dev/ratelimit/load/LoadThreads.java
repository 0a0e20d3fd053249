package dev.ratelimit.load;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

import dev.ratelimit.base.ServerThreads;
import dev.ratelimit.base.WrittenCondition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.web.context.WebApplicationContext;

/**
 * Reduces the settings of the guard to the number of threads of the server. With platform
 * threads, a request that has a seat or waits for one occupies a thread. Requests without
 * a thread wait in the server, where the guard cannot count them.
 *
 * @param settings the reduced settings
 * @param threads the number of threads of the server; 0 if there is no limit
 * @param cuts the reduced numbers
 */
record LoadThreads(LoadSettings settings, int threads, List<Cut> cuts) {

	private static final Log logger = LogFactory.getLog(LoadThreads.class);

	static LoadThreads of(LoadSettings wanted, ApplicationContext context) {
		Environment environment = context.getEnvironment();
		boolean platform = context instanceof WebApplicationContext && !Threading.VIRTUAL.isActive(environment);
		return (platform) ? of(wanted, ServerThreads.max(environment)) : new LoadThreads(wanted, 0, List.of());
	}

	static LoadThreads of(LoadSettings wanted, int threads) {
		int seats = Math.max(1, threads / 2);
		int queue = threads / 4;
		LimitRange range = wanted.range();
		LimitRange fitting = new LimitRange(Math.min(range.min(), seats), Math.min(range.initial(), seats),
				Math.min(range.max(), seats));
		OptionalInt fixed = (wanted.fixed().isPresent()) ? OptionalInt.of(Math.min(wanted.fixed().getAsInt(), seats))
				: wanted.fixed();
		List<Cut> numbers = (fixed.isPresent()) ? List.of(new Cut("limit", wanted.fixed().getAsInt(), seats))
				: List.of(new Cut("min", range.min(), seats), new Cut("initial", range.initial(), seats),
						new Cut("max", range.max(), seats));
		List<Cut> cuts = Stream
			.concat(numbers.stream(), Stream.of(new Cut("queue.length", wanted.queueLength(), queue)))
			.filter((cut) -> cut.wanted() > cut.fitting())
			.toList();
		LoadThreads fit = new LoadThreads(
				new LoadSettings(wanted.shadow(), fixed, fitting, Math.min(queue, wanted.queueLength()),
						wanted.maxWait(), wanted.shares(), wanted.reserve(), wanted.utilization()),
				threads, cuts);
		if (!cuts.isEmpty()) {
			logger.info(remark(fit.settings(), threads));
		}
		return fit;
	}

	// Reduced defaults cause no warning, because they are meant for servers with many
	// threads.
	LoadThreadsCheck check(Environment environment) {
		return new LoadThreadsCheck(this.threads,
				this.cuts.stream()
					.filter((cut) -> WrittenCondition.isWritten(environment, "ratelimit.load." + cut.property()))
					.map(Cut::toString)
					.toList());
	}

	static String remark(LoadSettings fit, int threads) {
		String seats = (fit.fixed().isPresent()) ? String.valueOf(fit.fixed().getAsInt())
				: "at most " + fit.range().max();
		return "The load guard has " + seats + " seats, and at most " + fit.queueLength()
				+ " requests wait for one, because the server has " + threads + " threads";
	}

	/**
	 * A reduced number.
	 *
	 * @param property the property, below {@code ratelimit.load}
	 * @param wanted the configured or default value
	 * @param fitting the maximum for the threads
	 */
	record Cut(String property, int wanted, int fitting) {

		@Override
		public String toString() {
			return this.property + ": " + this.wanted + " to " + this.fitting;
		}

	}

}
