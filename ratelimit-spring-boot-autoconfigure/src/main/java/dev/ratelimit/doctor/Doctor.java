package dev.ratelimit.doctor;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Looks for what is wrong, and says each thing once in the log. Thread-safe.
 *
 * @since 0.1.0
 */
public final class Doctor {

	private static final Log logger = LogFactory.getLog(Doctor.class);

	/** There are not so many rules. */
	private static final int MOST_REMEMBERED = 10_000;

	private static final Comparator<Diagnosis> ORDER = Comparator
		.comparing((Diagnosis diagnosis) -> diagnosis.finding().code())
		.thenComparing((diagnosis) -> diagnosis.finding().culprit());

	private final List<Check> checks;

	private final InstantSource clock;

	private final Map<String, Instant> firstSeen = new HashMap<>();

	private final Set<Check> failed = new HashSet<>();

	/**
	 * A doctor.
	 * @param checks what is looked for
	 * @param clock tells the time of findings
	 */
	public Doctor(List<Check> checks, InstantSource clock) {
		this.checks = List.copyOf(checks);
		this.clock = clock;
	}

	/**
	 * Look for everything now.
	 * @return what is wrong at the time, in the order of the codes
	 */
	public synchronized List<Diagnosis> examine() {
		List<Diagnosis> diagnoses = new ArrayList<>();
		for (Check check : this.checks) {
			for (Finding finding : findings(check)) {
				diagnoses.add(new Diagnosis(finding, since(finding)));
			}
		}
		diagnoses.sort(ORDER);
		return diagnoses;
	}

	// One that fails must not hide what the others find.
	private List<Finding> findings(Check check) {
		try {
			return check.findings();
		}
		catch (RuntimeException ex) {
			if (this.failed.add(check)) {
				logger.error("The doctor could not look for everything", ex);
			}
			return List.of();
		}
	}

	private Instant since(Finding finding) {
		Instant known = this.firstSeen.get(finding.identity());
		if (known != null || this.firstSeen.size() >= MOST_REMEMBERED) {
			return (known != null) ? known : this.clock.instant();
		}
		Instant now = this.clock.instant();
		this.firstSeen.put(finding.identity(), now);
		logger.warn(finding.code().id() + " " + finding.code().title() + ": " + finding.culprit() + ". "
				+ finding.detail() + " See " + finding.code().link());
		return now;
	}

}
