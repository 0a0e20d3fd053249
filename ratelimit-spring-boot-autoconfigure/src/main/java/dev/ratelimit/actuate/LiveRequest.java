package dev.ratelimit.actuate;

import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.ratelimit.base.RulePermit;
import dev.ratelimit.rule.ShownText;

/**
 * Internal: a request to a {@link LiveResource}. Immutable.
 *
 * @param path the segments after the name of the resource
 * @param values the query parameters, or the properties of the body
 * @param principal the user
 * @param permit the rules that the principal may change
 */
public record LiveRequest(List<String> path, Map<String, String> values, Optional<Principal> principal,
		RulePermit permit) {

	public LiveRequest {
		path = List.copyOf(path);
		values = Map.copyOf(values);
	}

	/**
	 * Return a value.
	 * @param name its name
	 * @return the value, if it is present
	 */
	public Optional<String> value(String name) {
		return Optional.ofNullable(this.values.get(name));
	}

	/**
	 * Return a value that must be present.
	 * @param name its name
	 * @return the value
	 * @throws IllegalArgumentException if it is missing
	 */
	public String required(String name) {
		return value(name).orElseThrow(() -> new IllegalArgumentException("'" + name + "' is missing"));
	}

	/**
	 * Require that each value is a parameter of the request. A change that ignored a
	 * value, such as {@code dryRun}, could affect more than the user intends. The rule
	 * may be given in addition to the path.
	 * @param names the parameters of the request
	 * @throws IllegalArgumentException if a value is not a parameter
	 */
	public void requireOnly(String... names) {
		Set<String> known = new TreeSet<>(Arrays.asList(names));
		for (String name : new TreeSet<>(this.values.keySet())) {
			boolean repeated = name.equals("rule") && !this.path.isEmpty()
					&& this.path.get(0).equals(this.values.get(name));
			if (!known.contains(name) && !repeated) {
				throw new IllegalArgumentException(unknown(name, known));
			}
		}
	}

	static String unknown(String name, Set<String> known) {
		return "this request has no parameter '" + ShownText.of(name) + "'; its parameters are " + known;
	}

	/**
	 * Return the user.
	 * @return the name of the principal
	 */
	public String user() {
		return user(this.principal);
	}

	static String user(Optional<Principal> principal) {
		return principal.map(Principal::getName).orElse("anonymous");
	}

	/**
	 * Return the reason that the user gives.
	 * @return the note; may be empty
	 * @throws IllegalArgumentException if it is too long or has control characters
	 */
	public String note() {
		return ShownText.requireNote(value("note").orElse(""));
	}

	/**
	 * Return the subject of the request. HTTP clients resolve dot segments and remove
	 * empty segments of a path, so a parameter can contain the subject instead.
	 * @param segments the segments of the path that contain the subject
	 * @return the subject
	 * @throws IllegalArgumentException if it is missing, or in both the path and the
	 * parameter
	 */
	public String subject(List<String> segments) {
		return NamedSubject.of(segments, value("subject"));
	}

	/**
	 * Whether the request must not make changes.
	 * @return whether it is a dry run
	 * @throws IllegalArgumentException if it is neither true nor false
	 */
	public boolean dryRun() {
		return flag("dryRun");
	}

	/**
	 * Whether the request applies to all items instead of one.
	 * @return whether it applies to all items
	 * @throws IllegalArgumentException if it is neither true nor false
	 */
	public boolean all() {
		return flag("all");
	}

	private boolean flag(String name) {
		String text = value(name).orElse("false").toLowerCase(Locale.ROOT);
		if (!text.equals("true") && !text.equals("false")) {
			throw new IllegalArgumentException("'" + name + "' must be 'true' or 'false'");
		}
		return text.equals("true");
	}

	public static long number(String name, String text) {
		try {
			return Long.parseLong(text);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("'" + name + "' must be a number", ex);
		}
	}

}
