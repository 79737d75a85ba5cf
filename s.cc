#include <opencpc.h>
int main(){ cpc_region_events("page-faults"); for(int i=0;i<3;i++){ cpc::region r("x"); cpc::region q("y"); } }
