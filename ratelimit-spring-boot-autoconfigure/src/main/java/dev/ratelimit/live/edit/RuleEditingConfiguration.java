package dev.ratelimit.live.edit;

import java.util.List;

import dev.ratelimit.actuate.EditConfiguration;
import dev.ratelimit.live.EffectiveRules;
import dev.ratelimit.live.InstanceReport;
import dev.ratelimit.live.LiveRulesConfiguration;
import dev.ratelimit.live.RuleSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Internal: the beans for edits of the rules of the source. Imported by each
 * auto-configuration that permits users to edit rules.
 */
@Configuration(proxyBeanMethods = false)
@Import({ LiveRulesConfiguration.class, EditConfiguration.class })
public final class RuleEditingConfiguration {

	@Bean
	RuleEditor rateLimitRuleEditor(ObjectProvider<RuleSource> source, EffectiveRules rules,
			ApplicationEventPublisher events, ObjectProvider<InstanceReport> report) {
		return new RuleEditor(source.stream().findFirst(), rules, events,
				() -> report.stream().findFirst().map(InstanceReport::warnings).orElse(List.of()));
	}

}
