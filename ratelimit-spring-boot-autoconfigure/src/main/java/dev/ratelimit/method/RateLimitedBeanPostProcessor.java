package dev.ratelimit.method;

import java.lang.reflect.Proxy;
import java.util.function.Supplier;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;

/**
 * Internal: puts proxies around beans with limited methods, and around no others. The
 * limit comes before all else that proxies do, so that a call which is rejected costs
 * nothing.
 */
public final class RateLimitedBeanPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

	private static final long serialVersionUID = 1L;

	/**
	 * A post-processor.
	 * @param gate the gate; requested by the first call
	 */
	public RateLimitedBeanPostProcessor(Supplier<MethodGate> gate) {
		this.advisor = new DefaultPointcutAdvisor(new LimitedMethods(), new RateLimitInterceptor(gate));
		setBeforeExistingAdvisors(true);
	}

	// What is a proxy of interfaces already has no class to extend.
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
