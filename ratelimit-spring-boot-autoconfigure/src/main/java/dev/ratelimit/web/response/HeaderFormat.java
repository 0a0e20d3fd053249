package dev.ratelimit.web.response;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

import dev.ratelimit.Policy;

/**
 * A way to write where a client stands. Thread-safe.
 */
interface HeaderFormat {

	/**
	 * The names of the fields.
	 * @return all that the format may write
	 */
	List<String> names();

	/**
	 * Write down what is constant of some policies. Others are written as they come.
	 * @param policies the active policies
	 */
	void use(Collection<Policy> policies);

	/**
	 * Write the fields of one response.
	 * @param summary where the client stands, with at least one policy
	 * @param fields where to add
	 */
	void write(LimitSummary summary, List<HeaderField> fields);

	/**
	 * The final fields if others of the same names are set: those stay, unless ours are
	 * stricter.
	 * @param ours our fields by name
	 * @param theirs their fields by name, at least one
	 * @return the fields by name; what is missing is not written
	 */
	Map<String, String> merge(Map<String, String> ours, Map<String, String> theirs);

	/**
	 * The format that settings choose.
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
	 * Merge fields that only make sense together.
	 * @param names the names of the fields
	 * @param remaining finds what remains, if it is said
	 * @param ours our fields by name
	 * @param theirs their fields by name
	 * @return ours if less remains by them, or else theirs
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
	 * Some of the fields.
	 * @param names the names of those
	 * @param fields fields by name
	 * @return those of the names
	 */
	static Map<String, String> only(List<String> names, Map<String, String> fields) {
		Map<String, String> some = new HashMap<>(fields);
		some.keySet().retainAll(names);
		return some;
	}

}
