package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.base.EditListener;
import dev.ratelimit.live.EffectiveRules;
import dev.ratelimit.live.InstanceReport;
import dev.ratelimit.live.RuleSource;
import dev.ratelimit.live.edit.EditAudit;
import dev.ratelimit.live.edit.RuleEditor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Changes the rules of the source. Each auto-configuration by which users do so imports
 * it.
 */
@Configuration(proxyBeanMethods = false)
@Import({ LiveRulesConfiguration.class, NamespacesConfiguration.class, RuleEditingConfiguration.Audited.class })
final class RuleEditingConfiguration {

	@Bean
	RuleEditor rateLimitRuleEditor(ObjectProvider<RuleSource> source, EffectiveRules rules,
			ObjectProvider<EditListener> listener, ObjectProvider<InstanceReport> report) {
		return new RuleEditor(source.stream().findFirst(), rules, listener.getIfAvailable(() -> EditListener.NONE),
				() -> report.stream().findFirst().map(InstanceReport::warnings).orElse(List.of()));
	}

	/**
	 * Where there is an audit log.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "org.springframework.boot.actuate.audit.AuditEvent")
	static class Audited {

		@Bean
		@ConditionalOnMissingBean
		EditListener rateLimitEditListener(ApplicationContext context) {
			return new EditAudit(context);
		}

	}

}
