package dev.ratelimit.store;

/**
 * The contract of the built-in stores: that of all stores, refunds that forget replay
 * markers, and slots that instances renew.
 */
public interface StoreStageContract extends LimitStoreContract, ReleaseContract, HoldingContract {

}
