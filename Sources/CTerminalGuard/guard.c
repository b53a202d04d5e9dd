void adtop_guard_placeholder(void){}
