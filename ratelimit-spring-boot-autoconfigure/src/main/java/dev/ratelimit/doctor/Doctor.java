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
import java.util.Optional;
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
 * Internal: runs all checks, and logs each finding once until it disappears. Thread-safe.
 */
public final class Doctor {

	private static final Log logger = LogFactory.getLog(Doctor.class);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	/** A bound on memory; higher than the number of findings of an application. */
	private static final int MAX_REMEMBERED = 10_000;

	private static final Comparator<ActiveFinding> ORDER = Comparator
		.comparing((ActiveFinding active) -> active.finding().code())
		.thenComparing((active) -> active.finding().location());

	private final List<Check> checks;

	private final InstantSource clock;

	private final Duration timeout;

	/** The findings of the last examination, by their identities. */
	private final Map<String, Seen> seen = new HashMap<>();

	private final Set<Check> failed = new HashSet<>();

	/** Checks that have not returned yet. */
	private final Map<Check, Future<List<Finding>>> running = new HashMap<>();

	/** The threads of checks, which end when they are idle. */
	private final ExecutorService workers = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS,
			new SynchronousQueue<>(), (task) -> {
				Thread thread = new Thread(task, "ratelimit-check");
				thread.setDaemon(true);
				return thread;
			});

	/**
	 * Create a doctor.
	 * @param checks the checks
	 * @param clock the time of findings
	 */
	Doctor(List<Check> checks, InstantSource clock) {
		this(checks, clock, TIMEOUT);
	}

	Doctor(List<Check> checks, InstantSource clock, Duration timeout) {
		this.checks = List.copyOf(checks);
		this.clock = clock;
		this.timeout = timeout;
	}

	/**
	 * Run all checks.
	 * @return the current findings, ordered by code
	 */
	public synchronized List<ActiveFinding> examine() {
		List<ActiveFinding> active = new ArrayList<>();
		Set<String> found = new HashSet<>();
		Set<Check> unknown = new HashSet<>();
		for (Check check : this.checks) {
			Optional<List<Finding>> findings = findings(check);
			if (findings.isEmpty()) {
				unknown.add(check);
				active.addAll(former(check));
			}
			for (Finding finding : findings.orElse(List.of())) {
				String identity = finding.identity();
				// Several findings can have one location, such as a source of rules.
				for (int i = 2; !found.add(identity); i++) {
					identity = finding.identity() + " " + i;
				}
				active.add(new ActiveFinding(finding, since(identity, finding, check)));
			}
		}
		// A finding that disappears and returns is logged again.
		this.seen.entrySet()
			.removeIf((entry) -> !found.contains(entry.getKey()) && !unknown.contains(entry.getValue().check()));
		active.sort(ORDER);
		return active;
	}

	// A check that fails or does not return must not prevent the findings of other
	// checks.
	private Optional<List<Finding>> findings(Check check) {
		Future<List<Finding>> run = this.running.computeIfAbsent(check, (one) -> this.workers.submit(one::findings));
		try {
			List<Finding> findings = run.get(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
			this.running.remove(check);
			this.failed.remove(check);
			return Optional.of(findings);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Optional.empty();
		}
		catch (ExecutionException ex) {
			this.running.remove(check);
			return failed(check, ex.getCause());
		}
		catch (TimeoutException ex) {
			return failed(check, ex);
		}
	}

	// The findings of a check without a result are kept.
	private List<ActiveFinding> former(Check check) {
		return this.seen.values()
			.stream()
			.filter((seen) -> seen.check() == check)
			.map((seen) -> new ActiveFinding(seen.finding(), seen.since()))
			.toList();
	}

	private Optional<List<Finding>> failed(Check check, @Nullable Throwable cause) {
		if (this.failed.add(check)) {
			logger.error("A doctor check failed", cause);
		}
		return Optional.empty();
	}

	private Instant since(String identity, Finding finding, Check check) {
		Seen before = this.seen.get(identity);
		if (before != null) {
			return before.since();
		}
		Instant now = this.clock.instant();
		if (this.seen.size() >= MAX_REMEMBERED) {
			return now;
		}
		this.seen.put(identity, new Seen(finding, now, check));
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

	/**
	 * A finding of an earlier examination.
	 *
	 * @param finding the finding, as it was found first
	 * @param since the time of the examination that found it first
	 * @param check the check that found it
	 */
	private record Seen(Finding finding, Instant since, Check check) {
	}

}
