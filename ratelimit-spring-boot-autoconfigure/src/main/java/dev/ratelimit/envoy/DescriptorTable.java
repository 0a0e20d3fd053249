package dev.ratelimit.envoy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.envoy.DescriptorMatch.DescriptorCall;
import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitDescriptor;
import dev.ratelimit.gate.AccessList;
import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.Route;
import dev.ratelimit.gate.RuleObservations;
import dev.ratelimit.rule.Descriptor;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyPart;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one edition by the descriptors that they apply to: a tree for each domain,
 * with a level for each entry. One rule applies to a descriptor. At each entry, an exact
 * value takes precedence over wildcards, and wildcards over the key alone. The choice is
 * final, as in Envoy's own service. Immutable.
 */
final class DescriptorTable {

	static final DescriptorTable EMPTY = new DescriptorTable(Map.of());

	private static final Optional<String> GLOBAL = Optional.of(Subjects.GLOBAL);

	private final Map<String, Node> domains;

	private DescriptorTable(Map<String, Node> domains) {
		this.domains = domains;
	}

	// Disabled rules remain in the tree, because otherwise other rules would apply to
	// their descriptors.
	static DescriptorTable of(Collection<CompiledRule> rules) {
		Map<String, Node> domains = new HashMap<>();
		for (CompiledRule compiled : rules) {
			compiled.rule().descriptor().ifPresent((descriptor) -> {
				Node node = domains.computeIfAbsent(descriptor.domain(), (name) -> new Node());
				for (Descriptor.Entry entry : descriptor.entries()) {
					node = node.children.computeIfAbsent(entry.key(), (key) -> new Values()).child(entry);
				}
				node.set(compiled, descriptor);
			});
		}
		return (domains.isEmpty()) ? EMPTY : new DescriptorTable(domains);
	}

	/**
	 * Find the rule that applies to a descriptor.
	 * @param domain the domain of the call
	 * @param descriptor the descriptor
	 * @param hits the number of requests that the call represents
	 * @param reported whether the requests have already been processed
	 * @return the match; null if no rule applies
	 */
	@Nullable DescriptorMatch find(String domain, RateLimitDescriptor descriptor, long hits, boolean reported) {
		Node node = this.domains.get(domain);
		for (int i = 0; node != null && i < descriptor.getEntriesCount(); i++) {
			RateLimitDescriptor.Entry entry = descriptor.getEntries(i);
			Values values = node.children.get(entry.getKey());
			node = (values != null) ? values.find(entry.getValue().toStringUtf8()) : null;
		}
		return (node != null && node.rule != null) ? node.rule.match(descriptor, hits, reported) : null;
	}

	/**
	 * A node of the tree: the entries that may follow, and the rule of descriptors that
	 * end here.
	 */
	private static final class Node {

		private final Map<String, Values> children = new HashMap<>();

		private @Nullable DescriptorRule rule;

		void set(CompiledRule compiled, Descriptor descriptor) {
			if (this.rule != null) {
				throw new InvalidRuleException(compiled.rule().location() + ".descriptor", descriptor.toString(),
						"the rule '" + this.rule.id() + "' has the same entries", "Remove one of them.");
			}
			this.rule = DescriptorRule.of(compiled, descriptor);
		}

	}

	/**
	 * The values of one key at one level.
	 */
	private static final class Values {

		private static final Comparator<Wildcard> ORDER = Comparator.comparing(Wildcard::pattern,
				Descriptor.Entry.WILDCARDS);

		private final Map<String, Node> exact = new HashMap<>();

		private final List<Wildcard> wildcards = new ArrayList<>();

		private @Nullable Node any;

		Node child(Descriptor.Entry entry) {
			Optional<String> value = entry.value();
			if (value.isEmpty()) {
				Node present = (this.any != null) ? this.any : new Node();
				this.any = present;
				return present;
			}
			return (Descriptor.Entry.isPattern(value.get())) ? wildcard(value.get())
					: this.exact.computeIfAbsent(value.get(), (text) -> new Node());
		}

		private Node wildcard(String pattern) {
			return this.wildcards.stream()
				.filter((one) -> one.pattern().equals(pattern))
				.findFirst()
				.map(Wildcard::node)
				.orElseGet(() -> {
					Wildcard added = new Wildcard(pattern, new Node());
					this.wildcards.add(added);
					this.wildcards.sort(ORDER);
					return added.node();
				});
		}

		@Nullable Node find(String value) {
			Node found = this.exact.get(value);
			for (int i = 0; found == null && i < this.wildcards.size(); i++) {
				found = (this.wildcards.get(i).matches(value)) ? this.wildcards.get(i).node() : null;
			}
			return (found != null) ? found : this.any;
		}

	}

	/**
	 * A value with {@code *} for any text.
	 *
	 * @param pattern the value
	 * @param texts the texts before, between, and after the asterisks
	 * @param node the node of the value
	 */
	private record Wildcard(String pattern, List<String> texts, Node node) {

		Wildcard(String pattern, Node node) {
			this(pattern, List.of(pattern.split("\\*", -1)), node);
		}

		// The first occurrence of each text is sufficient, because it leaves the longest
		// rest for the other texts.
		boolean matches(String value) {
			String first = this.texts.get(0);
			String last = this.texts.get(this.texts.size() - 1);
			int from = first.length();
			int end = value.length() - last.length();
			boolean matches = from <= end && value.startsWith(first) && value.endsWith(last);
			for (int i = 1; matches && i < this.texts.size() - 1; i++) {
				int at = value.indexOf(this.texts.get(i), from);
				from = at + this.texts.get(i).length();
				matches = at >= 0 && from <= end;
			}
			return matches;
		}

	}

	/**
	 * A rule that is compiled for descriptors.
	 *
	 * @param rule the rule
	 * @param key the indexes of the entries in its key
	 * @param cost the cost of one hit
	 * @param off whether the rule is disabled
	 */
	private record DescriptorRule(GateRule<DescriptorCall> rule, int[] key, long cost, boolean off) {

		static DescriptorRule of(CompiledRule compiled, Descriptor descriptor) {
			GateRule<DescriptorCall> rule = new GateRule<>(compiled,
					List.of((call, route) -> ((DescriptorMatch) route).subject()), DescriptorRule::cost,
					AccessList.equal(), RuleObservations.NONE);
			int[] key = compiled.rule()
				.key()
				.parts()
				.stream()
				.filter((part) -> part.kind() == KeyPart.Kind.ENTRY)
				.flatMapToInt((part) -> IntStream.range(0, descriptor.entries().size())
					.filter((index) -> descriptor.entries().get(index).key().equals(part.argument())))
				.toArray();
			return new DescriptorRule(rule, key, compiled.rule().units(),
					compiled.rule().reaction().mode() == RuleMode.OFF);
		}

		private static long cost(DescriptorCall call, Route route, Object limits) {
			return ((DescriptorMatch) route).units();
		}

		String id() {
			return this.rule.id();
		}

		@Nullable DescriptorMatch match(RateLimitDescriptor descriptor, long hits, boolean reported) {
			if (this.off) {
				return null;
			}
			long bounded = Math.min(hits, DescriptorMatch.MAX_UNITS);
			long units = (bounded > DescriptorMatch.MAX_UNITS / this.cost) ? DescriptorMatch.MAX_UNITS
					: bounded * this.cost;
			return new DescriptorMatch(this.rule, subject(descriptor), units, (reported) ? units : 0);
		}

		private Optional<String> subject(RateLimitDescriptor descriptor) {
			if (this.key.length == 0) {
				return GLOBAL;
			}
			if (this.key.length == 1) {
				return Optional.of(part(descriptor, this.key[0]));
			}
			List<String> parts = new ArrayList<>(this.key.length);
			for (int index : this.key) {
				parts.add(part(descriptor, index));
			}
			return Optional.of(Subjects.join(parts));
		}

		private static String part(RateLimitDescriptor descriptor, int index) {
			return Subjects.part(KeyPart.Kind.ENTRY, descriptor.getEntries(index).getValue().toStringUtf8());
		}

	}

}
