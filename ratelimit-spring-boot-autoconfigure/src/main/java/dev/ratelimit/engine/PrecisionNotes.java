package dev.ratelimit.engine;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Logs which rates of an edition are counted a little slower than they are written.
 */
final class PrecisionNotes {

	private static final Log logger = LogFactory.getLog(PrecisionNotes.class);

	private PrecisionNotes() {
	}

	static void log(Edition edition) {
		edition.compiled()
			.values()
			.stream()
			.flatMap((rule) -> rule.families().stream())
			.forEach((family) -> family.arithmetic()
				.precisionNote()
				.ifPresent((note) -> logger.info("Rule '" + family.policy().ruleId() + "': " + note)));
	}

}
