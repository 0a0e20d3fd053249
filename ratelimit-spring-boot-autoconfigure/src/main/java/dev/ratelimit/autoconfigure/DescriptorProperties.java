package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.rule.Descriptor;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Descriptors of Envoy that a rule applies to.
 *
 * @param domain Domain of Envoy's rate limit filter.
 * @param entries Entries that a descriptor must have, in this order and no others: a key,
 * or a key and a value such as plan=free or path=/files/*, where * stands for any text.
 */
record DescriptorProperties(@Nullable String domain,
		@DefaultValue List<String> entries) implements RuleOptions.BoundOption {

	@Override
	public Descriptor read(String location) {
		try {
			return new Descriptor((this.domain != null) ? this.domain : "",
					this.entries.stream().map(Descriptor.Entry::parse).toList());
		}
		catch (InvalidRuleException ex) {
			throw new InvalidRuleException(location + ex.location().replaceFirst("^[^.]*", ""), ex.value(), ex.reason(),
					ex.action());
		}
	}

}
