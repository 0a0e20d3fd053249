package dev.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Decision;
import dev.ratelimit.RuleCharge;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.RuleKey;
import dev.ratelimit.rule.ShownText;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Time;

/**
 * The rules of an edition that code references by their ids.
 *
 * @param edition the edition
 * @param sanctions the subjects that are banned, marked, or paused
 * @param time the time of the instance
 */
record RequestedRules(Edition edition, SanctionKeeper sanctions, Time time) {

	static RequestedRules of(Editions editions) {
		return new RequestedRules(editions.current(), editions.sanctions(), editions.time());
	}

	CompletableFuture<Void> pause(String ruleId, String subject, Duration pause) {
		return this.sanctions.pause(required(ruleId), Subjects.of(subject), pause);
	}

	List<AppliedRule> applied(Collection<RuleCharge> charges) {
		if (charges.size() > 1) {
			requireDistinct(charges);
		}
		List<AppliedRule> applied = new ArrayList<>(charges.size());
		for (RuleCharge charge : charges) {
			CompiledRule rule = required(charge.ruleId());
			if (rule.rule().reaction().mode() != RuleMode.OFF) {
				String subject = Subjects.of(charge.subject());
				applied.add(
						applied(rule.of(subject), subject, charge.cost().orElse(rule.rule().numbers().cost().units())));
			}
		}
		return applied;
	}

	private static void requireDistinct(Collection<RuleCharge> charges) {
		Set<String> seen = new HashSet<>();
		for (RuleCharge charge : charges) {
			if (!seen.add(charge.ruleId())) {
				throw new IllegalArgumentException("rule '" + charge.ruleId() + "' is charged twice");
			}
		}
	}

	private AppliedRule applied(CompiledRule rule, String subject, long cost) {
		Sanction sanction = this.sanctions.find(rule.rule().id(), subject);
		if (sanction == null) {
			return AppliedRule.of(rule, subject, cost).at(Level.NORMAL);
		}
		AppliedRule denial = sanction.denial(rule, subject, this.time.nanos());
		return (denial != null) ? denial : AppliedRule.of(sanction.marking(rule), subject, cost).at(Level.NORMAL);
	}

	/**
	 * Compare a decision with that of a candidate.
	 * @param trial the candidate
	 * @param charges the requested charges
	 * @param decision the decision of the active rules
	 * @return the decision
	 */
	static CompletableFuture<Decision> compared(CandidateTrial trial, Collection<RuleCharge> charges,
			CompletableFuture<Decision> decision) {
		if (!trial.changesAny(charges)) {
			return decision;
		}
		List<AppliedRule> expected = new RequestedRules(trial.edition(), SanctionKeeper.NONE, Time.SYSTEM)
			.applied(charges.stream()
				.filter((charge) -> trial.changes(charge.ruleId()))
				.filter((charge) -> trial.edition().rule(charge.ruleId()).isPresent())
				.toList());
		return decision.thenApply((made) -> {
			trial.compare(expected, made, 0, (id) -> true);
			return made;
		});
	}

	List<Bucket> buckets(String ruleId, String subject) {
		return required(ruleId).buckets(Subjects.of(subject));
	}

	List<CompiledRule> of(String subject) {
		return this.edition.compiled()
			.values()
			.stream()
			.filter((rule) -> SubjectKeys.fit(rule.rule().key(), subject))
			.toList();
	}

	List<CompiledRule> ofPart(String subject) {
		return this.edition.compiled()
			.values()
			.stream()
			.filter((rule) -> SubjectKeys.fitPartly(rule.rule().key(), subject))
			.toList();
	}

	Optional<CompiledRule> find(String ruleId) {
		return this.edition.rule(ruleId);
	}

	CompiledRule required(String ruleId) {
		return this.edition.rule(ruleId)
			.orElseThrow(() -> new IllegalArgumentException(
					ShownText.unknownRule(ruleId) + "; the rules are " + this.edition.rules().rules().keySet()));
	}

	/**
	 * Finds the rules that may have buckets of a subject.
	 */
	private static final class SubjectKeys {

		private SubjectKeys() {
		}

		/**
		 * Whether a key has subjects of a form.
		 * @param key the key
		 * @param subject the subject, such as {@code user:alice}
		 * @return whether all parts are of the same kinds
		 */
		static boolean fit(RuleKey key, String subject) {
			List<String> words = words(subject);
			List<KeyPart> parts = key.parts();
			if (words.size() != parts.size()) {
				return false;
			}
			for (int i = 0; i < words.size(); i++) {
				if (!isOf(key, parts.get(i), words.get(i))) {
					return false;
				}
			}
			return true;
		}

		/**
		 * Whether a key has all parts of a subject and at least one more.
		 * @param key the key
		 * @param subject the subject, such as {@code user:alice}
		 * @return whether subjects of the key may contain it
		 */
		static boolean fitPartly(RuleKey key, String subject) {
			List<String> words = words(subject);
			return words.size() < key.parts().size() && words.stream()
				.allMatch((word) -> key.parts().stream().anyMatch((part) -> isOf(key, part, word)));
		}

		private static List<String> words(String subject) {
			return Stream.of(subject.split("\\|")).map((part) -> part.split(":", 2)[0]).toList();
		}

		private static boolean isOf(RuleKey key, KeyPart part, String word) {
			boolean caller = part.kind() == KeyPart.Kind.CALLER && (word.equals("user") || word.equals("ip"));
			return caller || part.kind().word().equals(word) || (word.equals("ip") && key.isReplacedByAddress(part));
		}

	}

}
