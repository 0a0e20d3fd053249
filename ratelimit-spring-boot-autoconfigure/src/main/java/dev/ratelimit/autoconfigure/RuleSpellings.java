package dev.ratelimit.autoconfigure;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * How the sources of properties write the ids of rules. Environment variables have no
 * dashes.
 *
 * @param files ids as sources write them that can write dashes
 * @param environment ids as the environment writes them
 */
record RuleSpellings(Set<String> files, Set<String> environment) {

	static RuleSpellings below(ConfigurationPropertyName rules, Iterable<ConfigurationPropertySource> sources) {
		RuleSpellings spellings = new RuleSpellings(new HashSet<>(), new HashSet<>());
		for (ConfigurationPropertySource source : sources) {
			if (source instanceof IterableConfigurationPropertySource known) {
				boolean variables = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
				Set<String> ids = (variables) ? spellings.environment : spellings.files;
				known.stream()
					.filter(rules::isAncestorOf)
					.forEach((name) -> ids.add(name.getElement(rules.getNumberOfElements(), Form.ORIGINAL)));
			}
		}
		return spellings;
	}

	/**
	 * The ids by which the environment names rules of other sources again.
	 * @return the ids; each other one is a rule
	 */
	Set<String> again() {
		Map<String, String> written = new HashMap<>();
		this.files.forEach((id) -> written.put(id.replace("-", ""), id));
		return this.environment.stream()
			.filter((id) -> !this.files.contains(id) && written.containsKey(id.replace("-", "")))
			.collect(Collectors.toUnmodifiableSet());
	}

}
