package dev.ratelimit.web.response;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

import dev.ratelimit.Policy;

/**
 * A format of the header fields with the state of a client. Thread-safe.
 */
interface HeaderFormat {

	/**
	 * The names of the fields.
	 * @return the names of all fields that the format may write
	 */
	List<String> names();

	/**
	 * Prepare the constant parts of policies. Other policies are written without
	 * preparation.
	 * @param policies the active policies
	 */
	void use(Collection<Policy> policies);

	/**
	 * Write the fields of one response.
	 * @param summary the state of the client, with at least one policy
	 * @param fields receives the fields
	 */
	void write(LimitSummary summary, List<HeaderField> fields);

	/**
	 * Merge fields with existing fields of the same names. The existing fields are kept,
	 * unless the limiter's are stricter.
	 * @param ours the limiter's fields by name
	 * @param theirs the existing fields by name, at least one
	 * @return the fields by name; missing fields are not written
	 */
	Map<String, String> merge(Map<String, String> ours, Map<String, String> theirs);

	/**
	 * Return the format of settings.
	 * @param settings the settings
	 * @return the format
	 */
	static HeaderFormat of(HeaderSettings settings) {
		HeaderNames names = settings.names();
		HeaderFormat draft = new DraftFormat(names, settings.compatParams());
		HeaderFormat legacy = new LegacyFormat(names, settings.bucket(), settings.reset());
		return switch (settings.format()) {
			case DRAFT -> draft;
			case LEGACY -> legacy;
			case BOTH -> new JoinedFormat(List.of(draft, legacy));
			case DRAFT_7 -> new Draft7Format(names);
			case DRAFT_6 -> new Draft6Format(names);
			case NONE -> new JoinedFormat(List.of());
		};
	}

	/**
	 * Merge fields that belong together.
	 * @param names the names of the fields
	 * @param remaining finds the remaining units, if the fields contain them
	 * @param ours the limiter's fields by name
	 * @param theirs the existing fields by name
	 * @return the limiter's fields if they have fewer remaining units, otherwise the
	 * existing fields
	 */
	static Map<String, String> whole(List<String> names, Function<Map<String, String>, OptionalLong> remaining,
			Map<String, String> ours, Map<String, String> theirs) {
		Map<String, String> merged = only(names, theirs);
		if (!merged.isEmpty()) {
			OptionalLong least = remaining.apply(theirs);
			OptionalLong own = remaining.apply(ours);
			if (least.isEmpty() || own.isEmpty() || own.getAsLong() >= least.getAsLong()) {
				return merged;
			}
		}
		return only(names, ours);
	}

	/**
	 * Select some of the fields.
	 * @param names the names to select
	 * @param fields fields by name
	 * @return the selected fields
	 */
	static Map<String, String> only(List<String> names, Map<String, String> fields) {
		Map<String, String> some = new HashMap<>(fields);
		some.keySet().retainAll(names);
		return some;
	}

}
