package dev.ratelimit.doctor;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: looks for what is wrong, and says each thing once in the log. Thread-safe.
 */
public final class Doctor {

	private static final Log logger = LogFactory.getLog(Doctor.class);

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	/** More findings than an application has rules. */
	private static final int MAX_REMEMBERED = 10_000;

	private static final Comparator<ActiveFinding> ORDER = Comparator
		.comparing((ActiveFinding diagnosis) -> diagnosis.finding().code())
		.thenComparing((diagnosis) -> diagnosis.finding().location());

	private final List<Check> checks;

	private final InstantSource clock;

	private final Duration patience;

	private final Map<String, Instant> firstSeen = new HashMap<>();

	private final Set<Check> failed = new HashSet<>();

	/** Checks that have not returned yet. */
	private final Map<Check, Future<List<Finding>>> running = new HashMap<>();

	/** Threads that end when there is nothing to do. */
	private final ExecutorService workers = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS,
			new SynchronousQueue<>(), (task) -> {
				Thread thread = new Thread(task, "ratelimit-check");
				thread.setDaemon(true);
				return thread;
			});

	/**
	 * A doctor.
	 * @param checks what is looked for
	 * @param clock the time of findings
	 */
	public Doctor(List<Check> checks, InstantSource clock) {
		this(checks, clock, PATIENCE);
	}

	Doctor(List<Check> checks, InstantSource clock, Duration patience) {
		this.checks = List.copyOf(checks);
		this.clock = clock;
		this.patience = patience;
	}

	/**
	 * Look for everything now.
	 * @return what is wrong at the time, in the order of the codes
	 */
	public synchronized List<ActiveFinding> examine() {
		List<ActiveFinding> diagnoses = new ArrayList<>();
		for (Check check : this.checks) {
			for (Finding finding : findings(check)) {
				diagnoses.add(new ActiveFinding(finding, since(finding)));
			}
		}
		diagnoses.sort(ORDER);
		return diagnoses;
	}

	// One that fails, or does not return, must not hide what the others find.
	private List<Finding> findings(Check check) {
		Future<List<Finding>> run = this.running.computeIfAbsent(check, (one) -> this.workers.submit(one::findings));
		try {
			List<Finding> findings = run.get(this.patience.toNanos(), TimeUnit.NANOSECONDS);
			this.running.remove(check);
			return findings;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return List.of();
		}
		catch (ExecutionException ex) {
			this.running.remove(check);
			return failed(check, ex.getCause());
		}
		catch (TimeoutException ex) {
			return failed(check, ex);
		}
	}

	private List<Finding> failed(Check check, @Nullable Throwable cause) {
		if (this.failed.add(check)) {
			logger.error("A doctor check failed", cause);
		}
		return List.of();
	}

	private Instant since(Finding finding) {
		Instant since = this.firstSeen.get(finding.identity());
		if (since != null || this.firstSeen.size() >= MAX_REMEMBERED) {
			return (since != null) ? since : this.clock.instant();
		}
		Instant now = this.clock.instant();
		this.firstSeen.put(finding.identity(), now);
		String text = finding.code().id() + " " + finding.code().title() + ": " + finding.location() + ". "
				+ finding.detail() + " See " + finding.code().link();
		if (finding.code().severity() == FindingCode.Severity.HINT) {
			logger.info(text);
		}
		else {
			logger.warn(text);
		}
		return now;
	}

}
