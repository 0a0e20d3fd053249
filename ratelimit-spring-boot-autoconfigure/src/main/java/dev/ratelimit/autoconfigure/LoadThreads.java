package dev.ratelimit.autoconfigure;

import java.util.OptionalInt;

import dev.ratelimit.load.LimitRange;
import dev.ratelimit.load.LoadSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.web.context.WebApplicationContext;

/**
 * Fits the guard to the server's threads. On platform threads, a request that has a seat
 * or waits for one holds a thread, and those that find none wait in the server, unseen.
 *
 * @param settings the settings that fit
 * @param cut whether they were cut
 */
record LoadThreads(LoadSettings settings, boolean cut) {

	private static final Log logger = LogFactory.getLog(LoadThreads.class);

	private static final int DEFAULT_THREADS = 200;

	static LoadThreads of(LoadSettings wanted, ApplicationContext context) {
		Environment environment = context.getEnvironment();
		boolean platform = context instanceof WebApplicationContext && !Threading.VIRTUAL.isActive(environment);
		return (platform) ? of(wanted, threads(environment)) : new LoadThreads(wanted, false);
	}

	static LoadThreads of(LoadSettings wanted, int threads) {
		int seats = Math.max(1, threads / 2);
		int queue = threads / 4;
		LimitRange range = wanted.range();
		LimitRange fitting = new LimitRange(Math.min(range.min(), seats), Math.min(range.initial(), seats),
				Math.min(range.max(), seats));
		OptionalInt fixed = (wanted.fixed().isPresent()) ? OptionalInt.of(Math.min(wanted.fixed().getAsInt(), seats))
				: wanted.fixed();
		boolean cut = !fixed.equals(wanted.fixed()) || queue < wanted.queueLength()
				|| (fixed.isEmpty() && !fitting.equals(range));
		LoadThreads fit = new LoadThreads(new LoadSettings(wanted.shadow(), fixed, fitting,
				Math.min(queue, wanted.queueLength()), wanted.maxWait(), wanted.shares(), wanted.reserve()), cut);
		if (cut) {
			logger.info(remark(fit.settings(), threads));
		}
		return fit;
	}

	static String remark(LoadSettings fit, int threads) {
		String seats = (fit.fixed().isPresent()) ? String.valueOf(fit.fixed().getAsInt())
				: "at most " + fit.range().max();
		return "The load guard has " + seats + " seats, and at most " + fit.queueLength()
				+ " requests wait for one, because the server has " + threads + " threads";
	}

	private static int threads(Environment environment) {
		int tomcat = environment.getProperty("server.tomcat.threads.max", Integer.class, DEFAULT_THREADS);
		return environment.getProperty("server.jetty.threads.max", Integer.class, tomcat);
	}

}
