package dev.ratelimit.envoy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitDescriptor;
import dev.ratelimit.envoy.v3.RateLimitMessages.RateLimitRequest;
import org.jspecify.annotations.Nullable;

/**
 * The rules that apply to a call, by its descriptors.
 *
 * @param all one match for each rule and subject
 * @param byDescriptor the index of the match of each descriptor; −1 if no rule applies
 */
record DescriptorMatches(List<DescriptorMatch> all, int[] byDescriptor) {

	static DescriptorMatches of(DescriptorTable table, RateLimitRequest request) {
		int count = request.getDescriptorsCount();
		List<DescriptorMatch> found = new ArrayList<>(count);
		int[] byDescriptor = new int[count];
		boolean replacing = false;
		for (int i = 0; i < count; i++) {
			DescriptorMatch match = find(table, request, request.getDescriptors(i));
			byDescriptor[i] = (match != null) ? add(match, found) : -1;
			replacing |= match != null && replaces(match);
		}
		DescriptorMatches matches = new DescriptorMatches(found, byDescriptor);
		return (replacing) ? matches.withoutReplaced() : matches;
	}

	private static @Nullable DescriptorMatch find(DescriptorTable table, RateLimitRequest request,
			RateLimitDescriptor descriptor) {
		boolean own = descriptor.hasHitsAddend();
		long hits = (own) ? unsigned(descriptor.getHitsAddend().getValue())
				: Math.max(1, Integer.toUnsignedLong(request.getHitsAddend()));
		return table.find(request.getDomain(), descriptor, hits, own && hits > 0);
	}

	private static long unsigned(long value) {
		return (value < 0) ? Long.MAX_VALUE : value;
	}

	// Descriptors of one rule and subject are charged together.
	private static int add(DescriptorMatch match, List<DescriptorMatch> found) {
		for (int i = 0; i < found.size(); i++) {
			if (found.get(i).isOfBucketsOf(match)) {
				found.set(i, found.get(i).and(match));
				return i;
			}
		}
		found.add(match);
		return found.size() - 1;
	}

	private static boolean replaces(DescriptorMatch match) {
		return !match.rule().compiled().replaces().isEmpty();
	}

	private DescriptorMatches withoutReplaced() {
		Set<String> replaced = new HashSet<>();
		this.all.forEach((match) -> replaced.addAll(match.rule().compiled().replaces()));
		List<DescriptorMatch> left = new ArrayList<>(this.all.size());
		int[] numbers = new int[this.all.size()];
		for (int i = 0; i < numbers.length; i++) {
			boolean stays = !replaced.contains(this.all.get(i).rule().id());
			numbers[i] = (stays) ? left.size() : -1;
			if (stays) {
				left.add(this.all.get(i));
			}
		}
		int[] renumbered = this.byDescriptor.clone();
		for (int i = 0; i < renumbered.length; i++) {
			renumbered[i] = (renumbered[i] < 0) ? -1 : numbers[renumbered[i]];
		}
		return new DescriptorMatches(left, renumbered);
	}

}
