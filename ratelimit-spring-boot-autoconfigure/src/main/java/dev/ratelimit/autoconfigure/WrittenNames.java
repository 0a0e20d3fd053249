package dev.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;

/**
 * The names of properties that are written below a name.
 *
 * @param names the names and all that lead to them
 * @param others sources that do not tell their names
 */
record WrittenNames(Set<ConfigurationPropertyName> names, List<ConfigurationPropertySource> others) {

	static WrittenNames below(ConfigurationPropertyName root, Iterable<ConfigurationPropertySource> sources) {
		WrittenNames written = new WrittenNames(new HashSet<>(), new ArrayList<>());
		for (ConfigurationPropertySource source : sources) {
			if (source instanceof IterableConfigurationPropertySource known) {
				known.stream().filter(root::isAncestorOf).forEach((name) -> written.add(root, name));
			}
			else {
				written.others.add(source);
			}
		}
		return written;
	}

	private void add(ConfigurationPropertyName root, ConfigurationPropertyName name) {
		for (int size = name.getNumberOfElements(); size > root.getNumberOfElements(); size--) {
			this.names.add(name.chop(size));
		}
	}

	/**
	 * Whether a property may be written, or one below it.
	 * @param name the name
	 * @return whether it, or one below it, has been seen or may be in a source that does
	 * not tell its names
	 */
	boolean contains(ConfigurationPropertyName name) {
		return this.names.contains(name) || this.others.stream().anyMatch((source) -> mayHave(source, name));
	}

	private static boolean mayHave(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		return source.containsDescendantOf(name) != ConfigurationPropertyState.ABSENT
				|| source.getConfigurationProperty(name) != null;
	}

}
