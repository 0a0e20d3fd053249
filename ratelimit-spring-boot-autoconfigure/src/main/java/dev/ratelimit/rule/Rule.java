package dev.ratelimit.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.ratelimit.Limit;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.RuleMode;
import dev.ratelimit.algorithm.Algorithms;

/**
 * Internal: a named policy: its requests, key, and limits, and its effects on excess and
 * on store failure. Contains only data. Immutable.
 *
 * @param id the rule's id
 * @param origin the layers that define it
 * @param match the requests that it applies to, in addition to those of handlers that
 * reference the rule
 * @param key the key
 * @param numbers the cost of a request, and the limits
 * @param reaction the effects of the rule on a request
 * @param access the clients that the rule does not limit or always rejects
 * @param others the values of all other options, by name
 */
public record Rule(String id, Origin origin, Match match, RuleKey key, RuleNumbers numbers, Reaction reaction,
		Access access, Map<String, Object> others) {

	/** The option that locks the rule against live rules and switches. */
	static final String LOCKED = "locked";

	/** The option that makes it a rule of Envoy's calls. */
	static final String DESCRIPTOR = "descriptor";

	/** The option that makes it a rule of GraphQL operations. */
	static final String GRAPHQL = "graphql";

	/** The name of the option, as in YAML. */
	static final String REGIONS = "regions";

	/** The required form of an id. */
	static final String ID_FORM = "an id must be a lowercase letter followed by at most 63 lowercase letters, digits,"
			+ " and dashes";

	/** A leading dash is for internal rules, which applications cannot define. */
	private static final Pattern ID = Pattern.compile("-?[a-z][a-z0-9-]{0,63}");

	public Rule {
		others = Map.copyOf(others);
		requireId(id, Checks.UNPLACED);
		reaction.excess().check(key);
		reaction.excess().check(match.programmatic());
		Checks.UNPLACED.require(reaction.replaces().isEmpty() || !key.writes(MissingKeyPolicy.SKIP), ".replaces",
				reaction.replaces(),
				"a request without the key would be limited neither by this rule nor by the replaced rules",
				"Remove 'replaces', or set 'on-missing-key' to 'shared', 'ip', or 'deny'.");
		Checks.UNPLACED.require(reaction.ramp().isFull() || !isShared(key), ".enforce", reaction.ramp(),
				"one subject cannot be ramped",
				"Remove 'enforce', or use a key that identifies clients, such as 'caller'.");
		Checks.UNPLACED.require(numbers.overrides().isEmpty() || key.overridden().isPresent(), ".overrides",
				key.parts(), "no part of the key has values that overrides could be for",
				"Remove 'overrides', or use a key other than 'ip', 'route', and 'global'.");
	}

	private static boolean isShared(RuleKey key) {
		for (KeyPart part : key.parts()) {
			if (!part.kind().isShared()) {
				return false;
			}
		}
		return true;
	}

	static void requireId(String id, Checks checks) {
		checks.require(ID.matcher(id).matches(), "", id, ID_FORM, "Rename the rule.");
	}

	/**
	 * Return the location of the rule, as shown in messages: its property, or its live
	 * entry.
	 * @return the location, such as {@code ratelimit.rules.search}
	 */
	public String location() {
		Origin.Layer top = this.origin.top();
		return (top.kind() == Origin.Kind.LIVE) ? top.location() : "ratelimit.rules." + this.id;
	}

	/**
	 * Return this rule in a mode.
	 * @param mode the mode
	 * @return the rule; this one if the mode is its own
	 */
	public Rule in(RuleMode mode) {
		return (mode == this.reaction.mode()) ? this : new Rule(this.id, this.origin, this.match, this.key,
				this.numbers, this.reaction.in(mode), this.access, this.others);
	}

	/**
	 * Return whether another rule differs from this one only in its mode, ramp, or
	 * origin.
	 * @param other the other rule
	 * @return whether all other components are equal
	 */
	public boolean differsInModeAtMost(Rule other) {
		return equals(new Rule(other.id, this.origin, other.match, other.key, other.numbers,
				other.reaction.in(this.reaction.mode(), this.reaction.ramp()), other.access, other.others));
	}

	/**
	 * Return whether another rule has the same effect, regardless of its origin.
	 * @param other the other rule
	 * @return whether all but the origin is equal
	 */
	public boolean differsInOriginAtMost(Rule other) {
		return equals(new Rule(other.id, this.origin, other.match, other.key, other.numbers, other.reaction,
				other.access, other.others));
	}

	/**
	 * Return whether live rules and switches cannot change the rule.
	 * @return whether the rule is locked
	 */
	public boolean locked() {
		return Boolean.TRUE.equals(this.others.get(LOCKED));
	}

	/**
	 * Return the descriptors of Envoy that the rule applies to. It then does not apply to
	 * other requests.
	 * @return the descriptors; empty for all other rules
	 */
	public Optional<Descriptor> descriptor() {
		return Optional.ofNullable((Descriptor) this.others.get(DESCRIPTOR));
	}

	/**
	 * Return the root fields of GraphQL operations that the rule applies to. It then does
	 * not apply to other requests.
	 * @return the fields; empty for all other rules
	 */
	public Optional<GraphQlFields> graphQl() {
		return Optional.ofNullable((GraphQlFields) this.others.get(GRAPHQL));
	}

	/**
	 * Return the effect of the limits in several regions.
	 * @return the mode
	 */
	public RegionMode regions() {
		return (RegionMode) this.others.getOrDefault(REGIONS, RegionMode.EACH);
	}

	/**
	 * Return the limits of clients without a plan.
	 * @return all limits, all of which apply; none if the rule does not limit these
	 * clients
	 */
	public List<Limit> limits() {
		return this.numbers.quota().limits();
	}

	/**
	 * Return whether a limit delays requests that it allows.
	 * @return whether one of the limits is a leaky bucket
	 */
	public boolean delaysRequests() {
		return limits().stream().anyMatch((limit) -> Algorithms.of(limit).holdsRequests());
	}

	/**
	 * Return the cost of one request, if it does not depend on the request.
	 * @return the cost in units; 1 if it depends on the request
	 */
	public long units() {
		return this.numbers.cost().units();
	}

	/**
	 * Return whether the rule rejects each client that exceeds a limit.
	 * @return whether it enforces, and for all subjects
	 */
	public boolean enforcesForAll() {
		return this.reaction.mode() == RuleMode.ENFORCE && this.reaction.ramp().isFull();
	}

	/**
	 * Return whether all clients share the rule's buckets: a rejection then means that
	 * the server lacks capacity, not that a client exceeded its own limit.
	 * @return whether the key has only the parts {@code global} and {@code route}
	 */
	public boolean sharedByAllClients() {
		return isShared(this.key);
	}

	/**
	 * The requests that a rule applies to by itself.
	 *
	 * @param paths path patterns after the context path; none means that the rule applies
	 * only if a handler or code references it
	 * @param exceptPaths patterns of paths to leave out
	 * @param methods HTTP methods, upper case; none means all
	 * @param programmatic whether only code references the rule
	 */
	public record Match(List<String> paths, List<String> exceptPaths, List<String> methods, boolean programmatic) {

		/** No request. */
		public static final Match NONE = new Match(List.of(), List.of(), List.of());

		public Match {
			paths = List.copyOf(paths);
			exceptPaths = List.copyOf(exceptPaths);
			methods = List.copyOf(methods);
		}

		/**
		 * Requests that a handler or paths define.
		 * @param paths path patterns after the context path
		 * @param exceptPaths patterns of paths to leave out
		 * @param methods methods of HTTP, upper case; none means all
		 */
		public Match(List<String> paths, List<String> exceptPaths, List<String> methods) {
			this(paths, exceptPaths, methods, false);
		}

		/**
		 * Return whether {@code exceptPaths} leave out every path of {@code paths}, so
		 * that the paths match no request. If this is not certain, returns false.
		 * @return whether it is certain that no path is left
		 */
		public boolean exceptsAllPaths() {
			return !this.paths.isEmpty() && this.paths.stream()
				.allMatch((path) -> this.exceptPaths.stream().anyMatch((except) -> PathCover.covers(except, path)));
		}

		Match over(Match base) {
			return new Match(or(this.paths, base.paths), or(this.exceptPaths, base.exceptPaths),
					or(this.methods, base.methods), this.programmatic || base.programmatic);
		}

		private static List<String> or(List<String> own, List<String> base) {
			return (own.isEmpty()) ? base : own;
		}

	}

}
