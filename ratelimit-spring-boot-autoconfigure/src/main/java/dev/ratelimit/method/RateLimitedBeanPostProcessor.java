package dev.ratelimit.method;

import java.lang.reflect.Proxy;
import java.util.function.Supplier;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;

/**
 * Internal: creates proxies for beans with limited methods. The limit precedes all other
 * advisors of proxies, so that rejected calls have no other effects.
 */
public final class RateLimitedBeanPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a post-processor.
	 * @param gate supplies the gate; called by the first limited call
	 */
	public RateLimitedBeanPostProcessor(Supplier<MethodGate> gate) {
		this.advisor = new DefaultPointcutAdvisor(new LimitedMethods(), new RateLimitInterceptor(gate));
		setBeforeExistingAdvisors(true);
	}

	// A JDK proxy cannot be extended, so the new proxy implements its interfaces.
	@Override
	protected ProxyFactory prepareProxyFactory(Object bean, String beanName) {
		ProxyFactory factory = super.prepareProxyFactory(bean, beanName);
		if (Proxy.isProxyClass(bean.getClass())) {
			for (Class<?> type : bean.getClass().getInterfaces()) {
				factory.addInterface(type);
			}
		}
		return factory;
	}

}
