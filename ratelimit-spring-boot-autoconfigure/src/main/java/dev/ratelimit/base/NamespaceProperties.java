package dev.ratelimit.base;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import dev.ratelimit.rule.SplitPatterns;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: the rules of a team, below {@code ratelimit.namespaces.<team>}.
 *
 * @param prefix Beginning of the ids of the rules of the team, such as search-.
 * @param paths Path patterns that live rules of the team stay within. Without patterns,
 * they have no paths of their own.
 * @param authorities Authorities that may change the rules of the team, besides those of
 * ratelimit.authorities.
 */
public record NamespaceProperties(@Nullable String prefix, @DefaultValue List<String> paths,
		@DefaultValue List<String> authorities) {

	private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9-]{0,63}");

	public static Namespaces all(Map<String, NamespaceProperties> teams) {
		Set<String> prefixes = new HashSet<>();
		return new Namespaces(teams.entrySet().stream().map((team) -> {
			Namespace namespace = team.getValue().namespace(team.getKey());
			PropertyChecks.require(prefixes.add(namespace.prefix()), "namespaces." + team.getKey() + ".prefix",
					namespace.prefix(), "another team has this prefix", "Choose another prefix.");
			return namespace;
		}).toList());
	}

	private Namespace namespace(String team) {
		String location = "namespaces." + team;
		String start = (this.prefix != null) ? this.prefix : "";
		PropertyChecks.require(PREFIX.matcher(start).matches(), location + ".prefix", start,
				"a prefix must be a lowercase letter followed by at most 63 lowercase letters, digits, and dashes",
				"Set what the ids of the rules of the team start with, such as 'search-'.");
		PropertyChecks.require(!this.authorities.isEmpty(), location + ".authorities", "",
				"the team could not change its rules", "Add an authority of the team, such as 'TEAM_SEARCH'.");
		return new Namespace(team, start, SplitPatterns.rejoined(this.paths), this.authorities);
	}

}
